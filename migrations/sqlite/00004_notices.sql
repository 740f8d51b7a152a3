-- +goose Up

-- The turns, by their "since", of which the players were last told: that it is
-- theirs, and that the time for it runs out.
ALTER TABLE matches ADD COLUMN told INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_told CHECK (told BETWEEN 0 AND 4294967295);
ALTER TABLE matches ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_reminded CHECK (reminded BETWEEN 0 AND 4294967295);

-- Nobody is told of a turn that began before there were notices.
UPDATE matches SET told = since WHERE status = 20;

-- The running matches between people whose player has not been told, by when
-- they fell quiet; and those whose player has not been warned, by when the last third of the time begins.
CREATE INDEX matches_quiet ON matches (changed, id)
    WHERE status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since;
CREATE INDEX matches_short ON matches (deadline - pace / 3, id)
    WHERE status = 20 AND deadline > 0 AND reminded < since;

-- The messages that tell somebody so.
CREATE TABLE notices (
    match_id TEXT    NOT NULL,
    turn     INTEGER NOT NULL, -- the match's "since"
    kind     INTEGER NOT NULL, -- 1: your turn, 2: short of time
    state    INTEGER NOT NULL, -- 1: being posted, 2: posted, 3: to be taken away
    channel  TEXT    NOT NULL,
    message  TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (match_id, turn, kind),
    CONSTRAINT notices_turn CHECK (turn BETWEEN 0 AND 4294967295),
    CONSTRAINT notices_kind CHECK (kind BETWEEN 1 AND 255),
    CONSTRAINT notices_state CHECK (state IN (1, 2, 3))
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_unsettled ON notices (match_id) WHERE state <> 2;

-- +goose Down
DROP TABLE notices;
DROP INDEX matches_short;
DROP INDEX matches_quiet;
ALTER TABLE matches DROP COLUMN reminded;
ALTER TABLE matches DROP COLUMN told;
