-- Runs and their events. Never edited: a change is a new numbered file.
CREATE TABLE runs (
    id              TEXT PRIMARY KEY,
    asked_at        TEXT NOT NULL,
    database        TEXT NOT NULL,
    model           TEXT NOT NULL,
    question        TEXT NOT NULL,   -- the words, or the SQL when only SQL was given
    sql             TEXT NOT NULL,   -- the SQL of the answer; empty when there is none
    status          TEXT NOT NULL,
    trust           TEXT NOT NULL,   -- empty unless answered
    package_version TEXT NOT NULL,   -- hash of schema, statistics and knowledge; empty without a package
    rating          TEXT NOT NULL DEFAULT '' CHECK (rating IN ('', '+', '-')),
    verified_by     TEXT NOT NULL DEFAULT '',
    verified_at     TEXT NOT NULL DEFAULT '',
    withdrawn_at    TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX runs_by_database ON runs (database, id);
CREATE INDEX runs_verified ON runs (database, verified_at) WHERE verified_by <> '';

CREATE TABLE events (
    run  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n    INTEGER NOT NULL,           -- 0, 1, 2, … in the order they happened
    line TEXT NOT NULL,              -- one line of the run-file format
    PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
