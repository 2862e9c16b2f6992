ALTER TABLE runs ADD COLUMN branch TEXT;

-- Worktrees of ours. A row is written before git makes the worktree, and one that had
-- to be kept outlives its run: so it refers to none.
CREATE TABLE worktrees (
    run_id TEXT PRIMARY KEY,
    repository TEXT NOT NULL,
    path TEXT NOT NULL,
    branch TEXT NOT NULL,
    start TEXT NOT NULL,
    makes_branch INTEGER NOT NULL,
    phase TEXT NOT NULL
) STRICT;
