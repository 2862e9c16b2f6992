-- Who may call beside the owner. Of a secret only hashes are kept: of itself, and
-- of what a browser's cookie holds for it.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    paired INTEGER NOT NULL,
    hash BLOB NOT NULL,
    cookie_hash BLOB NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT
) STRICT;
