-- +goose Up

-- What is looked for by time is found by alarms, which ring at that time or earlier:
-- a move leaves an alarm as it is where that still holds, so most moves write to no
-- index. Whoever hears an alarm that rings too early sets it anew.
ALTER TABLE matches ADD COLUMN due INTEGER NOT NULL DEFAULT 0; -- for "deadline", 0 where there is none
ALTER TABLE matches ADD COLUMN warn INTEGER;                   -- for a third of the pace before it
ALTER TABLE matches ADD COLUMN quiet INTEGER;                  -- for the last move, of whose turn nobody was told
ALTER TABLE matches ADD COLUMN owed INTEGER NOT NULL DEFAULT 0 CHECK (owed IN (0, 1)); -- Rowbot is to move
-- When the last move was made, if that is later than "changed": that one is in indexes.
ALTER TABLE matches ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;

UPDATE matches SET
    due = deadline,
    warn = CASE WHEN status = 20 AND deadline > 0 AND reminded < since THEN deadline - pace / 3 END,
    quiet = CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since
        THEN changed END,
    owed = deadline = 0
WHERE status < 30;

DROP INDEX matches_due;
DROP INDEX matches_quiet;
DROP INDEX matches_short;
CREATE INDEX matches_due ON matches (due, id, status) WHERE status < 30; -- the status for counting
CREATE INDEX matches_warn ON matches (warn, id) WHERE warn IS NOT NULL;
CREATE INDEX matches_quiet ON matches (quiet, id) WHERE quiet IS NOT NULL;
CREATE INDEX matches_owed ON matches (id) WHERE owed = 1;

-- All that changes a match but a move sets its alarms anew.
-- +goose StatementBegin
CREATE TRIGGER matches_begin AFTER INSERT ON matches BEGIN
    UPDATE matches SET
        due = CASE WHEN status < 30 THEN deadline ELSE 0 END,
        warn = CASE WHEN status = 20 AND deadline > 0 AND reminded < since THEN deadline - pace / 3 END,
        quiet = CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since
            THEN max(changed, moved) END,
        owed = status < 30 AND deadline = 0
    WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER matches_change AFTER UPDATE OF status, changed, told, reminded ON matches BEGIN
    UPDATE matches SET
        due = CASE WHEN status < 30 THEN deadline ELSE 0 END,
        warn = CASE WHEN status = 20 AND deadline > 0 AND reminded < since THEN deadline - pace / 3 END,
        quiet = CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since
            THEN max(changed, moved) END,
        owed = status < 30 AND deadline = 0
    WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- A move sets those that there were none of, or that would ring too late. They are apart,
-- since a column that is set is written to its index, be it to what it was.
-- +goose StatementBegin
CREATE TRIGGER matches_move_due AFTER UPDATE OF moved ON matches
    WHEN NEW.deadline > 0 AND (NEW.due = 0 OR NEW.due > NEW.deadline) AND NEW.status < 30
BEGIN
    UPDATE matches SET due = NEW.deadline WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER matches_move_warn AFTER UPDATE OF moved ON matches
    WHEN NEW.deadline > 0 AND (NEW.warn IS NULL OR NEW.warn > NEW.deadline - NEW.pace / 3)
        AND NEW.status = 20 AND NEW.reminded < NEW.since
BEGIN
    UPDATE matches SET warn = NEW.deadline - NEW.pace / 3 WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER matches_move_quiet AFTER UPDATE OF moved ON matches
    WHEN NEW.deadline > 0 AND (NEW.quiet IS NULL OR NEW.quiet > NEW.moved)
        AND NEW.status = 20 AND NEW.black_level = 0 AND NEW.white_level = 0 AND NEW.told < NEW.since
BEGIN
    UPDATE matches SET quiet = NEW.moved WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER matches_move_owed AFTER UPDATE OF moved ON matches
    WHEN NEW.owed <> (NEW.status < 30 AND NEW.deadline = 0)
BEGIN
    UPDATE matches SET owed = NEW.status < 30 AND NEW.deadline = 0 WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER matches_move_owed;
DROP TRIGGER matches_move_quiet;
DROP TRIGGER matches_move_warn;
DROP TRIGGER matches_move_due;
DROP TRIGGER matches_change;
DROP TRIGGER matches_begin;
DROP INDEX matches_owed;
DROP INDEX matches_quiet;
DROP INDEX matches_warn;
DROP INDEX matches_due;
UPDATE matches SET changed = moved WHERE moved > changed;
ALTER TABLE matches DROP COLUMN moved;
ALTER TABLE matches DROP COLUMN owed;
ALTER TABLE matches DROP COLUMN quiet;
ALTER TABLE matches DROP COLUMN warn;
ALTER TABLE matches DROP COLUMN due;
CREATE INDEX matches_due ON matches (deadline, id, status) WHERE status < 30;
CREATE INDEX matches_quiet ON matches (changed, id)
    WHERE status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since;
CREATE INDEX matches_short ON matches (deadline - pace / 3, id)
    WHERE status = 20 AND deadline > 0 AND reminded < since;
