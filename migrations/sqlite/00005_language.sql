-- +goose Up

-- The language that a match's board is written in, so that it stays in it whoever
-- or whatever has it drawn again. Empty: not known, which means English.
ALTER TABLE matches ADD COLUMN locale TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE matches DROP COLUMN locale;
