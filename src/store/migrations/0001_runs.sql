CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    title TEXT NOT NULL,
    named INTEGER NOT NULL,
    cwd TEXT NOT NULL,
    program TEXT NOT NULL,
    cli_version TEXT,
    model TEXT,
    effort TEXT,
    permission_mode TEXT,
    origin TEXT NOT NULL,
    demo INTEGER NOT NULL,
    session TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_activity_at TEXT NOT NULL,
    ended_at TEXT,
    exit TEXT
) STRICT;

CREATE TABLE epochs (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    native_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    started_at TEXT NOT NULL,
    transcript TEXT,
    PRIMARY KEY (run_id, native_id)
) STRICT;
