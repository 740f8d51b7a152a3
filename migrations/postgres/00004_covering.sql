-- +goose Up

-- Indexes that hold all that a list of ended matches shows, so that no row is looked
-- up for it: with many matches each row lies on another page. PostgreSQL takes what
-- an index is to hold from columns alone, hence one for the number of plies: one more
-- than there are spaces in the moves. An older program need not know of it.
ALTER TABLE matches ADD COLUMN plies INTEGER NOT NULL
    GENERATED ALWAYS AS (CASE moves WHEN '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END) STORED;
DROP INDEX matches_ended_guild;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_white;
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC)
    INCLUDE (black_user, black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC)
    INCLUDE (black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC)
    INCLUDE (black_user, black_level, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND white_user <> '';

-- What is over otherwise, which the above do not hold.
DROP INDEX matches_over_guild;
DROP INDEX matches_over_black;
DROP INDEX matches_over_white;
CREATE INDEX matches_over_guild ON matches (guild) WHERE status >= 40 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user) WHERE status >= 40 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user) WHERE status >= 40 AND white_user <> '';

-- +goose Down
DROP INDEX matches_over_white;
DROP INDEX matches_over_black;
DROP INDEX matches_over_guild;
DROP INDEX matches_ended_white;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_guild;
ALTER TABLE matches DROP COLUMN plies;
CREATE INDEX matches_over_guild ON matches (guild, changed DESC, id DESC) WHERE status >= 30 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user, created DESC, id DESC) WHERE status >= 30 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user, created DESC, id DESC) WHERE status >= 30 AND white_user <> '';
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC) WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC) WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC) WHERE status IN (30, 31) AND white_user <> '';
