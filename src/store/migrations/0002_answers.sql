CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    dialog_id TEXT NOT NULL,
    answers TEXT NOT NULL,
    "by" TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
