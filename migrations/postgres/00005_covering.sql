-- +goose Up

-- Indexes that hold all that a list of ended matches shows, so that no row is looked
-- up for it: with many matches each row lies on another page. They have names of
-- their own, since not every server gives a name away again within a transaction.
CREATE INDEX matches_list_guild ON matches (guild, changed DESC, id DESC)
    INCLUDE (black_user, black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_list_black ON matches (black_user, changed DESC, id DESC)
    INCLUDE (black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_list_white ON matches (white_user, changed DESC, id DESC)
    INCLUDE (black_user, black_level, white_level, status, winner, board_cols, board_rows, need, variant, plies)
    WHERE status IN (30, 31) AND white_user <> '';
DROP INDEX matches_ended_guild;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_white;

-- What is over otherwise, which the above do not hold.
CREATE INDEX matches_other_guild ON matches (guild) WHERE status >= 40 AND guild <> '';
CREATE INDEX matches_other_black ON matches (black_user) WHERE status >= 40 AND black_user <> '';
CREATE INDEX matches_other_white ON matches (white_user) WHERE status >= 40 AND white_user <> '';
DROP INDEX matches_over_guild;
DROP INDEX matches_over_black;
DROP INDEX matches_over_white;

-- +goose Down
CREATE INDEX matches_over_guild ON matches (guild, changed DESC, id DESC) WHERE status >= 30 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user, created DESC, id DESC) WHERE status >= 30 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user, created DESC, id DESC) WHERE status >= 30 AND white_user <> '';
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC) WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC) WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC) WHERE status IN (30, 31) AND white_user <> '';
DROP INDEX matches_other_white;
DROP INDEX matches_other_black;
DROP INDEX matches_other_guild;
DROP INDEX matches_list_white;
DROP INDEX matches_list_black;
DROP INDEX matches_list_guild;
