-- Runs and their events, as in the file. Never edited: a change is a new numbered file.
-- Ids and times are in the order of their bytes, whatever the order of letters of the database is.
CREATE TABLE querent.runs (
    id              text COLLATE "C" PRIMARY KEY,
    asked_at        text NOT NULL,
    database        text NOT NULL,
    model           text NOT NULL,
    question        text NOT NULL,   -- the words, or the SQL when only SQL was given
    sql             text NOT NULL,   -- the SQL of the answer; empty when there is none
    status          text NOT NULL,
    trust           text NOT NULL,   -- empty unless answered
    package_version text NOT NULL,   -- hash of schema, statistics and knowledge; empty without a package
    row_count       bigint,          -- how many rows the answer has; NULL when nothing ran
    asked_by        text NOT NULL,
    rating          text NOT NULL DEFAULT '' CHECK (rating IN ('', '+', '-')),
    verified_by     text NOT NULL DEFAULT '',
    verified_at     text COLLATE "C" NOT NULL DEFAULT '',
    withdrawn_at    text NOT NULL DEFAULT ''
);

CREATE INDEX runs_by_database ON querent.runs (database, id);
CREATE INDEX runs_by_asker ON querent.runs (asked_by, id);
CREATE INDEX runs_verified ON querent.runs (database, verified_at) WHERE verified_by <> '';

CREATE TABLE querent.events (
    run  text COLLATE "C" NOT NULL REFERENCES querent.runs (id) ON DELETE CASCADE,
    n    bigint NOT NULL,            -- 0, 1, 2, … in the order they happened
    line text NOT NULL,              -- one line of the run-file format
    PRIMARY KEY (run, n)
);
