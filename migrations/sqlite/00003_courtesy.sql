-- +goose Up

-- Matches get more reasons to end, whose set is checked value by value: SQLite
-- changes that only by copying the table. From now on the range alone is checked.
-- Beside that: why a result is not rated, and from which number of plies on a
-- side may offer a draw again.
CREATE TABLE matches_new (
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
    opening          INTEGER NOT NULL CONSTRAINT matches_opening CHECK (opening BETWEEN 0 AND 255),
    choice           INTEGER NOT NULL CONSTRAINT matches_choice CHECK (choice IN (0, 1, 2, 3)),
    last_choice      INTEGER NOT NULL CONSTRAINT matches_last_choice CHECK (last_choice IN (0, 1, 2, 3)),
    unshown          INTEGER NOT NULL DEFAULT 0 CONSTRAINT matches_unshown CHECK (unshown IN (0, 1)),
    unrated          INTEGER NOT NULL CONSTRAINT matches_unrated CHECK (unrated BETWEEN 0 AND 255),
    black_offer_from INTEGER NOT NULL CONSTRAINT matches_black_offer_from CHECK (black_offer_from >= 0),
    white_offer_from INTEGER NOT NULL CONSTRAINT matches_white_offer_from CHECK (white_offer_from >= 0),
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
    CONSTRAINT matches_reason CHECK (reason BETWEEN 0 AND 255),
    CONSTRAINT matches_winner CHECK (winner IN (0, 1, 2)),
    CONSTRAINT matches_offer CHECK (offer IN (0, 1, 2)),
    CONSTRAINT matches_pace CHECK (pace >= 0),
    CONSTRAINT matches_rematch_of CHECK (rematch_of <> '')
) STRICT;
INSERT INTO matches_new SELECT id, version, board_cols, board_rows, need, variant, seed,
    challenger_user, challenger_level, invited_user, invited_level, side,
    black_user, black_level, white_user, white_level, status, reason, winner, moves, offer,
    black_after, black_change, white_after, white_change, pace, deadline, created, changed, rematch_of,
    guild, channel, message, event, since, opening, choice, last_choice, unshown, 0, 0, 0 FROM matches;
DROP TABLE matches;
ALTER TABLE matches_new RENAME TO matches;

-- The indexes that there were.
CREATE UNIQUE INDEX matches_rematch_of ON matches (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX matches_open_challenger ON matches (challenger_user, created DESC, id DESC)
    WHERE status < 30 AND challenger_user <> '';
CREATE INDEX matches_open_invited ON matches (invited_user, created DESC, id DESC)
    WHERE status < 30 AND invited_user <> '';
CREATE INDEX matches_open_black ON matches (black_user, created DESC, id DESC)
    WHERE status < 30 AND black_user <> '';
CREATE INDEX matches_open_white ON matches (white_user, created DESC, id DESC)
    WHERE status < 30 AND white_user <> '';
CREATE INDEX matches_due ON matches (deadline, id) WHERE status < 30;
CREATE INDEX matches_unshown ON matches (id) WHERE unshown = 1;
CREATE INDEX matches_played_guild ON matches (guild, changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_played ON matches (changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;

-- What is open and what is over in a guild.
CREATE INDEX matches_open_guild ON matches (guild, created DESC, id DESC) WHERE status < 30 AND guild <> '';
CREATE INDEX matches_over_guild ON matches (guild, changed DESC, id DESC) WHERE status >= 30 AND guild <> '';

-- What is over, by who had to do with it. Of the challenges that came to
-- nothing it is also asked whom they were for.
CREATE INDEX matches_over_black ON matches (black_user, created DESC, id DESC) WHERE status >= 30 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user, created DESC, id DESC) WHERE status >= 30 AND white_user <> '';
CREATE INDEX matches_over_challenger ON matches (challenger_user, invited_user, changed DESC)
    WHERE status >= 40 AND challenger_user <> '';
CREATE INDEX matches_over_invited ON matches (invited_user) WHERE status >= 40 AND invited_user <> '';

-- The rated matches of two people.
CREATE INDEX matches_rated ON matches (black_user, white_user, changed)
    WHERE status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0;

-- What people have chosen for themselves. Lists are IDs with spaces between.
CREATE TABLE preferences (
    user_id  TEXT    NOT NULL PRIMARY KEY,
    audience INTEGER NOT NULL, -- who may challenge them
    server   TEXT    NOT NULL,
    quiet    INTEGER NOT NULL,
    blocked  TEXT    NOT NULL,
    CONSTRAINT preferences_audience CHECK (audience BETWEEN 0 AND 255),
    CONSTRAINT preferences_quiet CHECK (quiet IN (0, 1))
) STRICT, WITHOUT ROWID;

-- What was chosen for servers, and whether Rowbot is still a member of them.
CREATE TABLE guilds (
    id       TEXT    NOT NULL PRIMARY KEY,
    style    TEXT    NOT NULL DEFAULT '',
    language TEXT    NOT NULL DEFAULT '',
    channels TEXT    NOT NULL DEFAULT '',
    pace     INTEGER NOT NULL DEFAULT 0,
    side     INTEGER NOT NULL DEFAULT 0,
    variant  INTEGER NOT NULL DEFAULT 0,
    threads  INTEGER NOT NULL DEFAULT 0,
    gone     INTEGER NOT NULL DEFAULT 0, -- since when Rowbot is none; 0: it is
    CONSTRAINT guilds_pace CHECK (pace >= 0),
    CONSTRAINT guilds_side CHECK (side BETWEEN 0 AND 20),
    CONSTRAINT guilds_variant CHECK (variant BETWEEN 0 AND 255),
    CONSTRAINT guilds_threads CHECK (threads IN (0, 1)),
    CONSTRAINT guilds_gone CHECK (gone >= 0)
) STRICT, WITHOUT ROWID;

-- The records of a guild, to be deleted with it; those everywhere are not among them.
CREATE INDEX records_of_guild ON records (scope) WHERE scope <> '*';

-- +goose Down

-- The check of the reasons stays as wide as it is.
DROP INDEX records_of_guild;
DROP TABLE guilds;
DROP TABLE preferences;
DROP INDEX matches_rated;
DROP INDEX matches_over_invited;
DROP INDEX matches_over_challenger;
DROP INDEX matches_over_white;
DROP INDEX matches_over_black;
DROP INDEX matches_over_guild;
DROP INDEX matches_open_guild;
ALTER TABLE matches DROP COLUMN white_offer_from;
ALTER TABLE matches DROP COLUMN black_offer_from;
ALTER TABLE matches DROP COLUMN unrated;
