-- +goose Up

-- What is looked for by time is found by alarms, which ring at that time or earlier:
-- a move leaves an alarm as it is where that still holds. So most moves set no column
-- that any index has, and PostgreSQL keeps them out of all indexes (HOT). Whoever hears
-- an alarm that rings too early sets it anew.
ALTER TABLE matches
    ADD COLUMN due   BIGINT NOT NULL DEFAULT 0, -- for "deadline", 0 where there is none
    ADD COLUMN warn  BIGINT, -- for a third of the pace before it
    ADD COLUMN quiet BIGINT, -- for the last move, of whose turn nobody was told
    ADD COLUMN owed  SMALLINT NOT NULL DEFAULT 0, -- Rowbot is to move
    -- When the last move was made, if that is later than "changed": that one is in indexes.
    ADD COLUMN moved BIGINT NOT NULL DEFAULT 0,
    ADD CONSTRAINT matches_owed_flag CHECK (owed IN (0, 1));
-- Room on each page for the next version of a row.
ALTER TABLE matches SET (fillfactor = 80);

UPDATE matches SET
    due = deadline,
    warn = CASE WHEN status = 20 AND deadline > 0 AND reminded < since THEN deadline - pace / 3 END,
    quiet = CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since
        THEN changed END,
    owed = CASE deadline WHEN 0 THEN 1 ELSE 0 END
WHERE status < 30;

CREATE INDEX matches_alarm_due ON matches (due, id) WHERE status < 30;
CREATE INDEX matches_alarm_warn ON matches (warn, id) WHERE warn IS NOT NULL;
CREATE INDEX matches_alarm_quiet ON matches (quiet, id) WHERE quiet IS NOT NULL;
CREATE INDEX matches_owed ON matches (id) WHERE owed = 1;
DROP INDEX matches_due;
DROP INDEX matches_quiet;
DROP INDEX matches_short;

-- All that changes a match but a move sets its alarms anew, and so does an older
-- program, which says "changed" of a move. A move sets those that there were none of,
-- or that would ring too late.
-- +goose StatementBegin
CREATE FUNCTION match_alarms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ring_due   BIGINT := CASE WHEN NEW.status < 30 THEN NEW.deadline ELSE 0 END;
    ring_warn  BIGINT := CASE WHEN NEW.status = 20 AND NEW.deadline > 0 AND NEW.reminded < NEW.since
        THEN NEW.deadline - NEW.pace / 3 END;
    ring_quiet BIGINT := CASE WHEN NEW.status = 20 AND NEW.deadline > 0 AND NEW.black_level = 0 AND NEW.white_level = 0
        AND NEW.told < NEW.since THEN greatest(NEW.changed, NEW.moved) END;
    anew       BOOLEAN := TG_OP = 'INSERT';
BEGIN
    IF NOT anew THEN
        anew := NEW.changed <> OLD.changed OR NEW.status <> OLD.status OR NEW.told <> OLD.told OR NEW.reminded <> OLD.reminded;
    END IF;
    IF anew OR ring_due > 0 AND (NEW.due = 0 OR NEW.due > ring_due) THEN
        NEW.due := ring_due;
    END IF;
    IF anew OR NEW.warn IS NULL OR NEW.warn > ring_warn THEN
        NEW.warn := ring_warn;
    END IF;
    IF anew OR NEW.quiet IS NULL OR NEW.quiet > ring_quiet THEN
        NEW.quiet := ring_quiet;
    END IF;
    NEW.owed := CASE WHEN NEW.status < 30 AND NEW.deadline = 0 THEN 1 ELSE 0 END;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER matches_alarms BEFORE INSERT OR UPDATE OF status, changed, moved, told, reminded ON matches
    FOR EACH ROW EXECUTE FUNCTION match_alarms();

-- +goose Down
DROP TRIGGER matches_alarms ON matches;
DROP FUNCTION match_alarms;
CREATE INDEX matches_due ON matches (deadline, id) WHERE status < 30;
CREATE INDEX matches_quiet ON matches (changed, id)
    WHERE status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since;
CREATE INDEX matches_short ON matches ((deadline - pace / 3), id)
    WHERE status = 20 AND deadline > 0 AND reminded < since;
DROP INDEX matches_owed;
DROP INDEX matches_alarm_quiet;
DROP INDEX matches_alarm_warn;
DROP INDEX matches_alarm_due;
UPDATE matches SET changed = moved WHERE moved > changed;
ALTER TABLE matches RESET (fillfactor);
ALTER TABLE matches
    DROP COLUMN moved,
    DROP COLUMN owed,
    DROP COLUMN quiet,
    DROP COLUMN warn,
    DROP COLUMN due;
