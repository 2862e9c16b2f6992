-- The process of a run that a person started in a terminal of their own.
ALTER TABLE runs ADD COLUMN guest TEXT;
