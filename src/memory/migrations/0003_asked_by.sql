-- Who asked, where several people share the memory; empty in a file, which is one person's own.
ALTER TABLE runs ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
