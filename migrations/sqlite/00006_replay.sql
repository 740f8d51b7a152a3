-- +goose Up

-- The matches that ended with a result, by where they were played and by whom:
-- what a replay can be chosen from.
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC) WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC) WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC) WHERE status IN (30, 31) AND white_user <> '';

-- +goose Down
DROP INDEX matches_ended_white;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_guild;
