-- +goose Up

-- The same tables as those for SQLite, column by column: a store can be copied
-- from one to the other. Times are Unix milliseconds, 0 where there is none;
-- lengths of time are milliseconds. Texts are empty, not NULL, where there is none.
--
-- Texts compare by their bytes (the collation "C"), as in SQLite and in Go: an
-- order in which pages are read must not hang on the server's locale.
CREATE TABLE matches (
    id               TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version          BIGINT   NOT NULL,
    board_cols       SMALLINT NOT NULL,
    board_rows       SMALLINT NOT NULL,
    need             SMALLINT NOT NULL,
    variant          SMALLINT NOT NULL,
    seed             BIGINT   NOT NULL, -- the 64 bits, read as a signed number
    challenger_user  TEXT COLLATE "C" NOT NULL,
    challenger_level SMALLINT NOT NULL,
    invited_user     TEXT COLLATE "C" NOT NULL,
    invited_level    SMALLINT NOT NULL,
    side             SMALLINT NOT NULL,
    black_user       TEXT COLLATE "C" NOT NULL,
    black_level      SMALLINT NOT NULL,
    white_user       TEXT COLLATE "C" NOT NULL,
    white_level      SMALLINT NOT NULL,
    status           SMALLINT NOT NULL,
    reason           SMALLINT NOT NULL,
    winner           SMALLINT NOT NULL,
    moves            TEXT     NOT NULL, -- "h8 i9 pass"
    offer            SMALLINT NOT NULL,
    black_after      INTEGER  NOT NULL,
    black_change     INTEGER  NOT NULL,
    white_after      INTEGER  NOT NULL,
    white_change     INTEGER  NOT NULL,
    pace             BIGINT   NOT NULL,
    deadline         BIGINT   NOT NULL,
    created          BIGINT   NOT NULL,
    changed          BIGINT   NOT NULL,
    rematch_of       TEXT COLLATE "C",
    guild            TEXT COLLATE "C" NOT NULL,
    channel          TEXT COLLATE "C" NOT NULL,
    message          TEXT     NOT NULL,
    event            TEXT     NOT NULL,
    since            BIGINT   NOT NULL, -- the version that the board stands since
    opening          SMALLINT NOT NULL,
    choice           SMALLINT NOT NULL,
    last_choice      SMALLINT NOT NULL,
    unshown          SMALLINT NOT NULL DEFAULT 0,
    unrated          SMALLINT NOT NULL,
    black_offer_from INTEGER  NOT NULL,
    white_offer_from INTEGER  NOT NULL,
    told             BIGINT   NOT NULL DEFAULT 0,
    reminded         BIGINT   NOT NULL DEFAULT 0,
    locale           TEXT     NOT NULL DEFAULT '',
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
    CONSTRAINT matches_rematch_of CHECK (rematch_of <> ''),
    CONSTRAINT matches_opening CHECK (opening BETWEEN 0 AND 255),
    CONSTRAINT matches_choice CHECK (choice IN (0, 1, 2, 3)),
    CONSTRAINT matches_last_choice CHECK (last_choice IN (0, 1, 2, 3)),
    CONSTRAINT matches_unshown CHECK (unshown IN (0, 1)),
    CONSTRAINT matches_unrated CHECK (unrated BETWEEN 0 AND 255),
    CONSTRAINT matches_black_offer_from CHECK (black_offer_from >= 0),
    CONSTRAINT matches_white_offer_from CHECK (white_offer_from >= 0),
    CONSTRAINT matches_told CHECK (told BETWEEN 0 AND 4294967295),
    CONSTRAINT matches_reminded CHECK (reminded BETWEEN 0 AND 4294967295)
);

-- A match has one rematch at most.
CREATE UNIQUE INDEX matches_rematch_once ON matches (rematch_of) WHERE rematch_of IS NOT NULL;

-- What is open, by who has to do with it, by guild, and by when it runs out.
CREATE INDEX matches_open_challenger ON matches (challenger_user, created DESC, id DESC)
    WHERE status < 30 AND challenger_user <> '';
CREATE INDEX matches_open_invited ON matches (invited_user, created DESC, id DESC)
    WHERE status < 30 AND invited_user <> '';
CREATE INDEX matches_open_black ON matches (black_user, created DESC, id DESC)
    WHERE status < 30 AND black_user <> '';
CREATE INDEX matches_open_white ON matches (white_user, created DESC, id DESC)
    WHERE status < 30 AND white_user <> '';
CREATE INDEX matches_open_guild ON matches (guild, created DESC, id DESC) WHERE status < 30 AND guild <> '';
CREATE INDEX matches_due ON matches (deadline, id) WHERE status < 30;

-- What is over, by guild and by who had to do with it.
CREATE INDEX matches_over_guild ON matches (guild, changed DESC, id DESC) WHERE status >= 30 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user, created DESC, id DESC) WHERE status >= 30 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user, created DESC, id DESC) WHERE status >= 30 AND white_user <> '';
CREATE INDEX matches_over_challenger ON matches (challenger_user, invited_user, changed DESC)
    WHERE status >= 40 AND challenger_user <> '';
CREATE INDEX matches_over_invited ON matches (invited_user) WHERE status >= 40 AND invited_user <> '';

-- What ended with a result: between people, by pairs, and all of it.
CREATE INDEX matches_played_guild ON matches (guild, changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_played ON matches (changed DESC, id DESC)
    WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_rated ON matches (black_user, white_user, changed)
    WHERE status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC) WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC) WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC) WHERE status IN (30, 31) AND white_user <> '';

-- What is to be seen to: boards, and players who have not been told.
CREATE INDEX matches_unshown ON matches (id) WHERE unshown = 1;
CREATE INDEX matches_quiet ON matches (changed, id)
    WHERE status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since;
CREATE INDEX matches_short ON matches ((deadline - pace / 3), id)
    WHERE status = 20 AND deadline > 0 AND reminded < since;

CREATE TABLE records (
    user_id    TEXT COLLATE "C" NOT NULL,
    game       TEXT COLLATE "C" NOT NULL,
    versus     TEXT COLLATE "C" NOT NULL, -- '' (people), 'level:<name>' or 'user:<ID>'
    scope      TEXT COLLATE "C" NOT NULL, -- a guild's ID, or '*'
    won        BIGINT NOT NULL,
    drawn      BIGINT NOT NULL,
    lost       BIGINT NOT NULL,
    streak     BIGINT NOT NULL,
    best       BIGINT NOT NULL,
    points     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    updated    BIGINT NOT NULL,
    PRIMARY KEY (user_id, game, versus, scope),
    CONSTRAINT records_game CHECK (game IN ('ttt', 'gomoku')),
    CONSTRAINT records_versus CHECK (versus = '' OR versus LIKE 'level:%' OR versus LIKE 'user:%'),
    CONSTRAINT records_tally CHECK (won >= 0 AND drawn >= 0 AND lost >= 0),
    CONSTRAINT records_streak CHECK (streak >= 0 AND best >= streak)
);

-- The leaderboards, in the order in which they are shown; and what goes with a guild.
CREATE INDEX records_by_rating ON records (scope, game, points DESC, won DESC, lost, drawn DESC, user_id)
    WHERE versus = '';
CREATE INDEX records_by_wins ON records (scope, game, won DESC, points DESC, lost, drawn DESC, user_id)
    WHERE versus = '';
CREATE INDEX records_of_guild ON records (scope) WHERE scope <> '*';

-- What people have chosen for themselves. Lists are IDs with spaces between.
CREATE TABLE preferences (
    user_id  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    audience SMALLINT NOT NULL, -- who may challenge them
    server   TEXT     NOT NULL,
    quiet    SMALLINT NOT NULL,
    blocked  TEXT     NOT NULL,
    CONSTRAINT preferences_audience CHECK (audience BETWEEN 0 AND 255),
    CONSTRAINT preferences_quiet CHECK (quiet IN (0, 1))
);

-- What was chosen for servers, and whether Rowbot is still a member of them.
CREATE TABLE guilds (
    id       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    style    TEXT     NOT NULL DEFAULT '',
    language TEXT     NOT NULL DEFAULT '',
    channels TEXT     NOT NULL DEFAULT '',
    pace     BIGINT   NOT NULL DEFAULT 0,
    side     SMALLINT NOT NULL DEFAULT 0,
    variant  SMALLINT NOT NULL DEFAULT 0,
    threads  SMALLINT NOT NULL DEFAULT 0,
    gone     BIGINT   NOT NULL DEFAULT 0, -- since when Rowbot is none; 0: it is
    CONSTRAINT guilds_pace CHECK (pace >= 0),
    CONSTRAINT guilds_side CHECK (side BETWEEN 0 AND 20),
    CONSTRAINT guilds_variant CHECK (variant BETWEEN 0 AND 255),
    CONSTRAINT guilds_threads CHECK (threads IN (0, 1)),
    CONSTRAINT guilds_gone CHECK (gone >= 0)
);

-- The messages that tell somebody that it is their turn.
CREATE TABLE notices (
    match_id TEXT COLLATE "C" NOT NULL,
    turn     BIGINT   NOT NULL, -- the match's "since"
    kind     SMALLINT NOT NULL, -- 1: your turn, 2: short of time
    state    SMALLINT NOT NULL, -- 1: being posted, 2: posted, 3: to be taken away
    channel  TEXT     NOT NULL,
    message  TEXT     NOT NULL,
    at       BIGINT   NOT NULL,
    PRIMARY KEY (match_id, turn, kind),
    CONSTRAINT notices_turn CHECK (turn BETWEEN 0 AND 4294967295),
    CONSTRAINT notices_kind CHECK (kind BETWEEN 1 AND 255),
    CONSTRAINT notices_state CHECK (state IN (1, 2, 3))
);
CREATE INDEX notices_unsettled ON notices (match_id) WHERE state <> 2;

-- Which copy of the program sees to what is due, and until when it has said so.
CREATE TABLE leases (
    duty   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    holder TEXT   NOT NULL,
    until  BIGINT NOT NULL
);

-- Rows to lock, nothing else. What a person may start is counted before it is
-- started; whoever does both holds the row that the person's ID is hashed to, so
-- that nobody starts anything for the same person in between.
CREATE TABLE turns (slot INTEGER NOT NULL PRIMARY KEY);
INSERT INTO turns (slot) SELECT generate_series(0, 1023);

-- +goose Down
DROP TABLE turns;
DROP TABLE leases;
DROP TABLE notices;
DROP TABLE guilds;
DROP TABLE preferences;
DROP TABLE records;
DROP TABLE matches;
