-- +goose Up

-- The leaderboards of everywhere, cut into brackets, so that somebody's place is
-- counted within one bracket and summed over those above. A bracket begins with
-- its bound, which is compared as the leaderboard is sorted: "first" is the figure
-- it is sorted by and "second" the other one; what is better the larger it is has
-- its sign changed. It ends where the next one of its level begins. Level 1 are
-- blocks of some 64 brackets of level 0; where a block begins a bracket begins too.
CREATE TABLE brackets (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game    TEXT COLLATE "C"  NOT NULL,
    sorted  TEXT COLLATE "C"  NOT NULL, -- 'rating' or 'wins'
    level   SMALLINT NOT NULL,
    first   DOUBLE PRECISION NOT NULL,
    second  DOUBLE PRECISION NOT NULL,
    lost    BIGINT NOT NULL,
    drawn   BIGINT NOT NULL,
    user_id TEXT COLLATE "C"  NOT NULL,
    people  BIGINT NOT NULL, -- but for bracket_changes
    CONSTRAINT brackets_level CHECK (level IN (0, 1))
);
CREATE INDEX brackets_bound ON brackets (game, sorted, level, first, second, lost, drawn, user_id);
CREATE INDEX brackets_of ON brackets (user_id) WHERE level = 0;
CREATE INDEX brackets_full ON brackets (people) WHERE level = 0 AND people > 128;

-- Who came (1) and went (-1), with which figures, and is not in the brackets yet.
CREATE TABLE bracket_changes (
    game    TEXT COLLATE "C"  NOT NULL,
    points  DOUBLE PRECISION NOT NULL,
    won     BIGINT NOT NULL,
    lost    BIGINT NOT NULL,
    drawn   BIGINT NOT NULL,
    user_id TEXT COLLATE "C"  NOT NULL,
    people  BIGINT NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION bracket_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.scope = '*' AND OLD.versus = '' THEN
        INSERT INTO bracket_changes VALUES (OLD.game, OLD.points, OLD.won, OLD.lost, OLD.drawn, OLD.user_id, -1);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.scope = '*' AND NEW.versus = '' THEN
        INSERT INTO bracket_changes VALUES (NEW.game, NEW.points, NEW.won, NEW.lost, NEW.drawn, NEW.user_id, 1);
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER records_move AFTER INSERT OR UPDATE OR DELETE ON records FOR EACH ROW EXECUTE FUNCTION bracket_change();

-- What is there: every 64th begins a bracket, every 4096th a block, and the first
-- of each begins before everybody.
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT g.game, s.sorted, l.level, -9007199254740992, 0, 0, 0, '',
    least(l.size, (SELECT count(*) FROM records AS r WHERE r.scope = '*' AND r.versus = '' AND r.game = g.game))
FROM (SELECT 'ttt' AS game UNION ALL SELECT 'gomoku') AS g
    CROSS JOIN (SELECT 'rating' AS sorted UNION ALL SELECT 'wins') AS s
    CROSS JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l;
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT game, 'rating', level, -points, -won, lost, -drawn, user_id, least(size, total - i)
FROM (SELECT game, points, won, lost, drawn, user_id, count(*) OVER (PARTITION BY game) AS total,
        row_number() OVER (PARTITION BY game ORDER BY points DESC, won DESC, lost, drawn DESC, user_id) - 1 AS i
        FROM records WHERE scope = '*' AND versus = '') AS n
    JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l ON i % size = 0
WHERE i > 0;
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT game, 'wins', level, -won, -points, lost, -drawn, user_id, least(size, total - i)
FROM (SELECT game, points, won, lost, drawn, user_id, count(*) OVER (PARTITION BY game) AS total,
        row_number() OVER (PARTITION BY game ORDER BY won DESC, points DESC, lost, drawn DESC, user_id) - 1 AS i
        FROM records WHERE scope = '*' AND versus = '') AS n
    JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l ON i % size = 0
WHERE i > 0;

-- +goose Down
DROP TRIGGER records_move ON records;
DROP FUNCTION bracket_change;
DROP TABLE bracket_changes;
DROP TABLE brackets;
