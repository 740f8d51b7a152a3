-- +goose Up

-- The number of plies, which lists of ended matches show: one more than there are
-- spaces in the moves. PostgreSQL answers out of an index alone what is a column of
-- it, not what it would have to work out. It is filled by itself, also where an
-- older program writes; and at the end, since a column of an index that each move
-- changed would have each move written to all indexes.
ALTER TABLE matches ADD COLUMN plies INTEGER NOT NULL
    GENERATED ALWAYS AS (CASE WHEN status < 30 OR moves = '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END) STORED;

-- +goose Down
ALTER TABLE matches DROP COLUMN plies;
