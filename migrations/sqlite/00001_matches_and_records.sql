-- +goose Up

-- Times are Unix milliseconds, 0 where there is none; lengths of time are
-- milliseconds. Texts are empty, not NULL, where there is none.
--
-- Sets of numbers that are closed by the life of a match are checked value by
-- value. Variants and levels are going to grow, and SQLite changes a CHECK only
-- by copying the whole table, so theirs name the range alone.
CREATE TABLE matches (
    id               TEXT    NOT NULL PRIMARY KEY,
    version          INTEGER NOT NULL,
    board_cols       INTEGER NOT NULL,
    board_rows       INTEGER NOT NULL,
    need             INTEGER NOT NULL,
    variant          INTEGER NOT NULL,
    seed             INTEGER NOT NULL, -- the 64 bits, read as a signed number
    challenger_user  TEXT    NOT NULL,
    challenger_level INTEGER NOT NULL,
    invited_user     TEXT    NOT NULL,
    invited_level    INTEGER NOT NULL,
    side             INTEGER NOT NULL,
    black_user       TEXT    NOT NULL,
    black_level      INTEGER NOT NULL,
    white_user       TEXT    NOT NULL,
    white_level      INTEGER NOT NULL,
    status           INTEGER NOT NULL,
    reason           INTEGER NOT NULL,
    winner           INTEGER NOT NULL,
    moves            TEXT    NOT NULL, -- "h8 i9 pass"
    offer            INTEGER NOT NULL,
    black_after      INTEGER NOT NULL,
    black_change     INTEGER NOT NULL,
    white_after      INTEGER NOT NULL,
    white_change     INTEGER NOT NULL,
    pace             INTEGER NOT NULL,
    deadline         INTEGER NOT NULL,
    created          INTEGER NOT NULL,
    changed          INTEGER NOT NULL,
    rematch_of       TEXT,
    guild            TEXT    NOT NULL,
    channel          TEXT    NOT NULL,
    message          TEXT    NOT NULL,
    event            TEXT    NOT NULL,
    since            INTEGER NOT NULL, -- the version that the board stands since
    CONSTRAINT matches_id CHECK (id <> ''),
    CONSTRAINT matches_version CHECK (version BETWEEN 1 AND 4294967295),
    CONSTRAINT matches_since CHECK (since BETWEEN 0 AND version),
    CONSTRAINT matches_board CHECK (board_cols BETWEEN 1 AND 20 AND board_rows BETWEEN 1 AND 20),
    CONSTRAINT matches_need CHECK (need BETWEEN 1 AND 20),
    CONSTRAINT matches_variant CHECK (variant BETWEEN 0 AND 255),
    CONSTRAINT matches_challenger_level CHECK (challenger_level BETWEEN 0 AND 255),
    CONSTRAINT matches_invited_level CHECK (invited_level BETWEEN 0 AND 255),
    CONSTRAINT matches_black_level CHECK (black_level BETWEEN 0 AND 255),
    CONSTRAINT matches_white_level CHECK (white_level BETWEEN 0 AND 255),
    CONSTRAINT matches_side CHECK (side IN (0, 1, 2)),
    CONSTRAINT matches_status CHECK (status IN (10, 20, 30, 31, 40, 41, 42, 43)),
    CONSTRAINT matches_reason CHECK (reason IN (0, 1, 2, 3, 10, 11, 12)),
    CONSTRAINT matches_winner CHECK (winner IN (0, 1, 2)),
    CONSTRAINT matches_offer CHECK (offer IN (0, 1, 2)),
    CONSTRAINT matches_pace CHECK (pace >= 0),
    CONSTRAINT matches_rematch_of CHECK (rematch_of <> '')
) STRICT;

-- A match has one rematch at most.
CREATE UNIQUE INDEX matches_rematch_of ON matches (rematch_of) WHERE rematch_of IS NOT NULL;

-- The matches that are not over (status below 30), by who has to do with them.
CREATE INDEX matches_open_challenger ON matches (challenger_user, created DESC, id DESC)
    WHERE status < 30 AND challenger_user <> '';
CREATE INDEX matches_open_invited ON matches (invited_user, created DESC, id DESC)
    WHERE status < 30 AND invited_user <> '';
CREATE INDEX matches_open_black ON matches (black_user, created DESC, id DESC)
    WHERE status < 30 AND black_user <> '';
CREATE INDEX matches_open_white ON matches (white_user, created DESC, id DESC)
    WHERE status < 30 AND white_user <> '';

-- The same, by when they run out.
CREATE INDEX matches_due ON matches (deadline, id) WHERE status < 30;

-- The matches between people that ended with a result, by guild and over all.
CREATE INDEX matches_played_guild ON matches (guild, changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_played ON matches (changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;

-- Records are small and always looked up by their key or its first part, so
-- the key is the table. A player's records of one game lie side by side.
CREATE TABLE records (
    user_id    TEXT    NOT NULL,
    game       TEXT    NOT NULL,
    versus     TEXT    NOT NULL, -- '' (people), 'level:<name>' or 'user:<ID>'
    scope      TEXT    NOT NULL, -- a guild's ID, or '*'
    won        INTEGER NOT NULL,
    drawn      INTEGER NOT NULL,
    lost       INTEGER NOT NULL,
    streak     INTEGER NOT NULL,
    best       INTEGER NOT NULL,
    points     REAL    NOT NULL,
    deviation  REAL    NOT NULL,
    volatility REAL    NOT NULL,
    updated    INTEGER NOT NULL,
    PRIMARY KEY (user_id, game, versus, scope),
    CONSTRAINT records_game CHECK (game IN ('ttt', 'gomoku')),
    CONSTRAINT records_versus CHECK (versus = '' OR versus GLOB 'level:*' OR versus GLOB 'user:*'),
    CONSTRAINT records_tally CHECK (won >= 0 AND drawn >= 0 AND lost >= 0),
    CONSTRAINT records_streak CHECK (streak >= 0 AND best >= streak)
) STRICT, WITHOUT ROWID;

-- The leaderboards, in the order in which they are shown.
CREATE INDEX records_by_rating ON records (scope, game, points DESC, won DESC, lost, drawn DESC, user_id)
    WHERE versus = '';
CREATE INDEX records_by_wins ON records (scope, game, won DESC, points DESC, lost, drawn DESC, user_id)
    WHERE versus = '';

-- +goose Down
DROP TABLE records;
DROP TABLE matches;
