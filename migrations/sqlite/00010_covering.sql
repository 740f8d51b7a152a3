-- +goose Up

-- Indexes that hold all that a list shows, so that no row is looked up for it: with
-- many matches and people each row lies on another page.

-- The leaderboards.
DROP INDEX records_by_rating;
DROP INDEX records_by_wins;
CREATE INDEX records_by_rating ON records (scope, game, points DESC, won DESC, lost, drawn DESC, user_id,
        streak, best, deviation, volatility, updated)
    WHERE versus = '';
CREATE INDEX records_by_wins ON records (scope, game, won DESC, points DESC, lost, drawn DESC, user_id,
        streak, best, deviation, volatility, updated)
    WHERE versus = '';

-- The matches that ended with a result, by where they were played and by whom, with
-- the number of plies: one more than there are spaces in the moves. By black they
-- also hold what tells the rated matches of two people.
DROP INDEX matches_ended_guild;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_white;
DROP INDEX matches_rated;
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC,
        black_user, black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant,
        (CASE moves WHEN '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END))
    WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC,
        black_level, white_user, white_level, status, winner, board_cols, board_rows, need, variant, unrated,
        (CASE moves WHEN '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END))
    WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC,
        black_user, black_level, white_level, status, winner, board_cols, board_rows, need, variant,
        (CASE moves WHEN '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END))
    WHERE status IN (30, 31) AND white_user <> '';

-- What is over otherwise, which the above do not hold.
DROP INDEX matches_over_guild;
DROP INDEX matches_over_black;
DROP INDEX matches_over_white;
CREATE INDEX matches_over_guild ON matches (guild) WHERE status >= 40 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user) WHERE status >= 40 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user) WHERE status >= 40 AND white_user <> '';

-- Those who play a match are its black and its white, so by challenger and invited
-- there are just the challenges that wait.
DROP INDEX matches_open_challenger;
DROP INDEX matches_open_invited;
CREATE INDEX matches_open_challenger ON matches (challenger_user, created DESC, id DESC)
    WHERE status = 10 AND challenger_user <> '';
CREATE INDEX matches_open_invited ON matches (invited_user, created DESC, id DESC)
    WHERE status = 10 AND invited_user <> '';

-- +goose Down
DROP INDEX matches_open_invited;
DROP INDEX matches_open_challenger;
DROP INDEX matches_over_white;
DROP INDEX matches_over_black;
DROP INDEX matches_over_guild;
DROP INDEX matches_ended_white;
DROP INDEX matches_ended_black;
DROP INDEX matches_ended_guild;
DROP INDEX records_by_wins;
DROP INDEX records_by_rating;
CREATE INDEX matches_open_challenger ON matches (challenger_user, created DESC, id DESC)
    WHERE status < 30 AND challenger_user <> '';
CREATE INDEX matches_open_invited ON matches (invited_user, created DESC, id DESC)
    WHERE status < 30 AND invited_user <> '';
CREATE INDEX matches_over_guild ON matches (guild, changed DESC, id DESC) WHERE status >= 30 AND guild <> '';
CREATE INDEX matches_over_black ON matches (black_user, created DESC, id DESC) WHERE status >= 30 AND black_user <> '';
CREATE INDEX matches_over_white ON matches (white_user, created DESC, id DESC) WHERE status >= 30 AND white_user <> '';
CREATE INDEX matches_rated ON matches (black_user, white_user, changed)
    WHERE status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0;
CREATE INDEX matches_ended_guild ON matches (guild, changed DESC, id DESC) WHERE status IN (30, 31) AND guild <> '';
CREATE INDEX matches_ended_black ON matches (black_user, changed DESC, id DESC) WHERE status IN (30, 31) AND black_user <> '';
CREATE INDEX matches_ended_white ON matches (white_user, changed DESC, id DESC) WHERE status IN (30, 31) AND white_user <> '';
CREATE INDEX records_by_rating ON records (scope, game, points DESC, won DESC, lost, drawn DESC, user_id)
    WHERE versus = '';
CREATE INDEX records_by_wins ON records (scope, game, won DESC, points DESC, lost, drawn DESC, user_id)
    WHERE versus = '';
