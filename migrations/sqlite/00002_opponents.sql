-- +goose Up

-- How a match begins, and what was chosen in its opening: by the player who did
-- not open, and then by the one who did. 0 is the free opening, without choice.
ALTER TABLE matches ADD COLUMN opening INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_opening CHECK (opening BETWEEN 0 AND 255);
ALTER TABLE matches ADD COLUMN choice INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_choice CHECK (choice IN (0, 1, 2, 3));
ALTER TABLE matches ADD COLUMN last_choice INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_last_choice CHECK (last_choice IN (0, 1, 2, 3));

-- Matches that Rowbot or the clock has changed, and whose board does not show it yet.
ALTER TABLE matches ADD COLUMN unshown INTEGER NOT NULL DEFAULT 0
    CONSTRAINT matches_unshown CHECK (unshown IN (0, 1));
CREATE INDEX matches_unshown ON matches (id) WHERE unshown = 1;

-- +goose Down
DROP INDEX matches_unshown;
ALTER TABLE matches DROP COLUMN unshown;
ALTER TABLE matches DROP COLUMN last_choice;
ALTER TABLE matches DROP COLUMN choice;
ALTER TABLE matches DROP COLUMN opening;
