-- +goose Up

-- How a match begins, and what was chosen in its opening: by the player who did
-- not open, and then by the one who did. 0 is the free opening, without choice.
ALTER TABLE matches ADD COLUMN opening INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_opening CHECK (opening BETWEEN 0 AND 255);
ALTER TABLE matches ADD COLUMN choice INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_choice CHECK (choice IN (0, 1, 2, 3));
ALTER TABLE matches ADD COLUMN last_choice INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_last_choice CHECK (last_choice IN (0, 1, 2, 3));

-- +goose Down
ALTER TABLE matches DROP COLUMN last_choice;
ALTER TABLE matches DROP COLUMN choice;
ALTER TABLE matches DROP COLUMN opening;
