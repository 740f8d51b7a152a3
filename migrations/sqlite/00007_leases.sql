-- +goose Up

-- Which copy of the program sees to what is due, and until when (Unix
-- milliseconds) it has said so. A copy that is killed loses it then.
CREATE TABLE leases (
    duty   TEXT    NOT NULL PRIMARY KEY,
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE leases;
