-- What people sent, and what became of it. `receipt` is in the form of the API.
-- `text` is kept only until the CLI's own record has it.
CREATE TABLE receipts (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    client_id TEXT,
    is_final INTEGER NOT NULL,
    receipt TEXT NOT NULL,
    text TEXT
) STRICT;

CREATE INDEX receipts_by_run ON receipts (run_id, at);

-- Replies that are on their way: held, being typed, or typed and not proven.
CREATE TABLE replies (
    id TEXT PRIMARY KEY REFERENCES receipts (id) ON DELETE CASCADE,
    run_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    send_when TEXT NOT NULL,
    force INTEGER NOT NULL,
    epoch TEXT,
    phase TEXT NOT NULL,
    process TEXT NOT NULL,
    after TEXT
) STRICT;

-- The dialog as it was when it was answered, to compare the record with.
ALTER TABLE answers ADD COLUMN dialog TEXT NOT NULL DEFAULT '';
