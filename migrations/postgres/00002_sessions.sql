-- +goose Up

-- Which process has a shard of the gateway, and the session that it has left there
-- when it ended, for the next one to go on with.
CREATE TABLE sessions (
    shard   BIGINT NOT NULL PRIMARY KEY,
    holder  TEXT   NOT NULL,
    session TEXT   NOT NULL, -- empty: none was left, or it has been taken
    url     TEXT   NOT NULL,
    seq     BIGINT NOT NULL, -- of the last event that was handled
    shards  BIGINT NOT NULL,
    intents BIGINT NOT NULL,
    at      BIGINT NOT NULL -- Unix milliseconds
);

-- +goose Down
DROP TABLE sessions;
