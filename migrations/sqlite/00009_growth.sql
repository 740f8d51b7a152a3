-- +goose Up

-- With the status, about which SQLite would ask the matches themselves otherwise.
DROP INDEX matches_due;
CREATE INDEX matches_due ON matches (deadline, id, status) WHERE status < 30;

-- The leaderboards of everywhere, cut into brackets, so that somebody's place is
-- counted within one bracket and summed over those above. A bracket begins with
-- its bound, which is compared as the leaderboard is sorted: "first" is the figure
-- it is sorted by and "second" the other one; what is better the larger it is has
-- its sign changed. It ends where the next one of its level begins. Level 1 are
-- blocks of some 64 brackets of level 0; where a block begins a bracket begins too.
CREATE TABLE brackets (
    id      INTEGER PRIMARY KEY,
    game    TEXT    NOT NULL,
    sorted  TEXT    NOT NULL, -- 'rating' or 'wins'
    level   INTEGER NOT NULL,
    first   REAL    NOT NULL,
    second  REAL    NOT NULL,
    lost    INTEGER NOT NULL,
    drawn   INTEGER NOT NULL,
    user_id TEXT    NOT NULL,
    people  INTEGER NOT NULL, -- but for bracket_changes
    CONSTRAINT brackets_level CHECK (level IN (0, 1))
) STRICT;
CREATE INDEX brackets_bound ON brackets (game, sorted, level, first, second, lost, drawn, user_id, people);
CREATE INDEX brackets_of ON brackets (user_id) WHERE level = 0;
CREATE INDEX brackets_full ON brackets (people) WHERE level = 0 AND people > 128;

-- Who came (1) and went (-1), with which figures, and is not in the brackets yet.
CREATE TABLE bracket_changes (
    game    TEXT    NOT NULL,
    points  REAL    NOT NULL,
    won     INTEGER NOT NULL,
    lost    INTEGER NOT NULL,
    drawn   INTEGER NOT NULL,
    user_id TEXT    NOT NULL,
    people  INTEGER NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER records_come AFTER INSERT ON records WHEN NEW.scope = '*' AND NEW.versus = '' BEGIN
    INSERT INTO bracket_changes VALUES (NEW.game, NEW.points, NEW.won, NEW.lost, NEW.drawn, NEW.user_id, 1);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER records_go AFTER DELETE ON records WHEN OLD.scope = '*' AND OLD.versus = '' BEGIN
    INSERT INTO bracket_changes VALUES (OLD.game, OLD.points, OLD.won, OLD.lost, OLD.drawn, OLD.user_id, -1);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER records_move AFTER UPDATE ON records
WHEN (OLD.scope = '*' AND OLD.versus = '') OR (NEW.scope = '*' AND NEW.versus = '') BEGIN
    INSERT INTO bracket_changes SELECT OLD.game, OLD.points, OLD.won, OLD.lost, OLD.drawn, OLD.user_id, -1
        WHERE OLD.scope = '*' AND OLD.versus = '';
    INSERT INTO bracket_changes SELECT NEW.game, NEW.points, NEW.won, NEW.lost, NEW.drawn, NEW.user_id, 1
        WHERE NEW.scope = '*' AND NEW.versus = '';
END;
-- +goose StatementEnd

-- What is there: every 64th begins a bracket, every 4096th a block, and the first
-- of each begins before everybody.
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT g.game, s.sorted, l.level, -9007199254740992, 0, 0, 0, '',
    min(l.size, (SELECT count(*) FROM records AS r WHERE r.scope = '*' AND r.versus = '' AND r.game = g.game))
FROM (SELECT 'ttt' AS game UNION ALL SELECT 'gomoku') AS g
    CROSS JOIN (SELECT 'rating' AS sorted UNION ALL SELECT 'wins') AS s
    CROSS JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l;
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT game, 'rating', level, -points, -won, lost, -drawn, user_id, min(size, total - i)
FROM (SELECT game, points, won, lost, drawn, user_id, count(*) OVER (PARTITION BY game) AS total,
        row_number() OVER (PARTITION BY game ORDER BY points DESC, won DESC, lost, drawn DESC, user_id) - 1 AS i
        FROM records WHERE scope = '*' AND versus = '') AS n
    JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l ON i % size = 0
WHERE i > 0;
INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
SELECT game, 'wins', level, -won, -points, lost, -drawn, user_id, min(size, total - i)
FROM (SELECT game, points, won, lost, drawn, user_id, count(*) OVER (PARTITION BY game) AS total,
        row_number() OVER (PARTITION BY game ORDER BY won DESC, points DESC, lost, drawn DESC, user_id) - 1 AS i
        FROM records WHERE scope = '*' AND versus = '') AS n
    JOIN (SELECT 0 AS level, 64 AS size UNION ALL SELECT 1, 4096) AS l ON i % size = 0
WHERE i > 0;

-- +goose Down
DROP TRIGGER records_move;
DROP TRIGGER records_go;
DROP TRIGGER records_come;
DROP TABLE bracket_changes;
DROP TABLE brackets;
DROP INDEX matches_due;
CREATE INDEX matches_due ON matches (deadline, id) WHERE status < 30;
