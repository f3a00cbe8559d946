-- How many rows the answer has; NULL when nothing ran, and for runs stored before this was counted.
ALTER TABLE runs ADD COLUMN row_count INTEGER;
