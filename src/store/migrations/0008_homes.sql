-- Where the CLI of a run keeps its things: its own variables, as they were when it began.
-- NULL is of before this was noted.
ALTER TABLE runs ADD COLUMN home TEXT;
