// Sample runs and conversations for the mock server. Invented from end to end.
const MINUTE = 60_000;
export const ago = (minutes, now = Date.now()) => new Date(now - minutes * MINUTE).toISOString();

export const providers = [
  {
    id: "sample-agent",
    display_name: "Sample Agent",
    installed: { path: "/usr/local/bin/sample-agent", version: "2.4.1" },
    compat: "verified",
    pinned_version: "2.4.1",
    models: [
      { id: "large", label: "Large", description: "For hard problems" },
      { id: "small", label: "Small", description: "Fast and plain" },
    ],
    efforts: [
      { id: "low", label: "Low" },
      { id: "high", label: "High", description: "Thinks longer before it answers" },
    ],
    permission_modes: [
      { id: "default", label: "asks first", description: "Asks before it edits or runs anything" },
      { id: "acceptEdits", label: "accepts edits", description: "Edits files in the folder without asking" },
      { id: "plan", label: "plans first", description: "Reads and plans, changes nothing" },
    ],
    options: [],
    auth: { kind: "external" },
    open: null,
    capabilities: ["live_signals"],
  },
  {
    id: "other-agent",
    display_name: "Other Agent",
    installed: null,
    compat: "untested",
    pinned_version: "0.9.0",
    models: [],
    efforts: [],
    permission_modes: [],
    options: [],
    auth: { kind: "external" },
    open: null,
    capabilities: [],
  },
];

export const run = (id, title, state, minutes, more = {}) => ({
  id,
  provider: "sample-agent",
  title,
  state,
  cwd: "/home/me/work/sample",
  model: "large",
  permission_mode: "default",
  origin: "spawned",
  epoch: `${id}-e1`,
  created_at: ago(minutes + 60),
  last_activity_at: ago(minutes),
  pending_dialogs: 0,
  queued: 0,
  cli_version: "2.4.1",
  compat: "verified",
  attach: { command: `tmux -L seamux attach -t ${id}`, socket: "seamux", session: id },
  warnings: [],
  demo: false,
  ...more,
});

let offset = 0;
const at = () => `${(offset += 640)}.0`;
export const user = (text, minutes, more = {}) => ({ position: at(), kind: "text", role: "user", time: ago(minutes), text, revision: 1, ...more });
export const agent = (text, minutes, more = {}) => ({ position: at(), kind: "text", role: "assistant", time: ago(minutes), text, revision: 1, ...more });
export const life = (event, minutes, detail) => ({ position: at(), kind: "lifecycle", time: ago(minutes), lifecycle: { event, ...(detail ? { detail } : {}) }, revision: 1 });
export const tool = (title, minutes, more = {}, seconds = 0.2) => ({
  position: at(),
  kind: "tool",
  role: "assistant",
  time: ago(minutes),
  revision: 1,
  ...(more.cut ? { cut: true } : {}),
  tool: {
    call_id: `call-${offset}`,
    name: "Tool",
    title,
    input: {},
    status: "ok",
    started_at: ago(minutes),
    ended_at: new Date(Date.parse(ago(minutes)) + seconds * 1000).toISOString(),
    ...more,
  },
});
export const asks = (dialog, minutes) => ({ position: at(), kind: "dialog", role: "assistant", time: ago(minutes), dialog, revision: 1 });

export const question = {
  id: "dlg-1",
  kind: "question",
  title: "Two things about the import",
  questions: [
    {
      header: "Date column",
      text: "Which column is the date of a booking?",
      options: [
        { label: "Booking date", description: "When the bank wrote it down" },
        { label: "Value date", description: "When the money moved" },
      ],
      multi_select: false,
      free_text: true,
    },
    {
      header: "Categories",
      text: "Which lines should be marked for review?",
      options: [
        { label: "No category", description: "The rules did not match anything" },
        { label: "Two categories", description: "More than one rule matched" },
        { label: "Foreign currency", description: "The amount was converted" },
      ],
      multi_select: true,
      free_text: true,
    },
  ],
  answerable: false,
  channel: "none",
};

export const approval = {
  id: "dlg-2",
  kind: "approval",
  title: "Wants to run: git push --tags",
  body: "```sh\ngit push --tags origin main\n```",
  questions: [
    {
      header: "",
      text: "Wants to run: git push --tags",
      options: [{ label: "Yes" }, { label: "Yes, and don't ask again for git push" }, { label: "No, and say what to do differently" }],
      multi_select: false,
      free_text: false,
    },
  ],
  answerable: false,
  channel: "none",
};

export const plan = {
  id: "dlg-0",
  kind: "plan",
  title: "Port to nom 8",
  body: "1. Replace `IResult` closures by the `Parser` trait in `src/tag.rs`.\n2. Keep the error type; add a conversion.\n3. Move the 340 tests unchanged; they are the contract.",
  questions: [],
  answerable: false,
  channel: "none",
  outcome: { accepted: true, answers: [["Approve the plan?", "Yes, and accept edits"]] },
};

export const diff = `--- a/src/import/csv.rs
+++ b/src/import/csv.rs
@@ -40,1 +40,3 @@ fn column_for(header: &Header)
-    header.position("Booking date")
+    DATE_COLUMNS
+        .iter()
+        .find_map(|name| header.position(name))
`;

export const longAnswer = `The login is slow because every request reads the whole session table. There are three parts to it.

## What happens

1. The request carries a cookie with the **session id**.
2. The server looks the session up *by user*, not by id.
3. \`user_id\` has no index, so the database reads all 4 million rows.

| query | rows read | time |
| --- | ---: | ---: |
| by id | 1 | 0.2 ms |
| by user, today | 4,012,330 | 1,840 ms |
| by user, with an index | 3 | 0.3 ms |

\`\`\`sql
create index concurrently session_user_id
  on session (user_id)
  where revoked_at is null;
\`\`\`

The index can be built while the site is up. It takes about two minutes and needs 90 MB. After that the page answers in well under 50 ms, which is what the old server did.

> A partial index is enough: revoked sessions are never looked up.

- [x] Find the slow query
- [x] Measure it on a copy
- [ ] Build the index
- [ ] Take the old cache out

See [the manual](https://www.postgresql.org/docs/current/indexes-partial.html) for how partial indexes are chosen.`;

export function conversations() {
  return {
    bank: {
      receipts: [],
      messages: [
        life("started", 130),
        user("Add an importer for the CSV files in samples/. Keep the old one working.", 12, { receipt: true }),
        agent("The person wants a new importer next to the old one. I should look at the samples first, then at how the old one finds its columns.", 12, { thinking: true }),
        agent("I read the three samples. Two banks write the booking date first, one writes the value date first, so the column has to be chosen per file.", 12),
        tool("Read 3 files in samples/", 12, { view: { type: "read", path: "/home/me/work/ledger/samples/" }, output: "samples/a.csv\nsamples/b.csv\nsamples/c.csv" }),
        tool("Edited src/import/csv.rs", 11, { view: { type: "diff", path: "/home/me/work/ledger/src/import/csv.rs", diff } }),
        tool("Ran cargo nextest run import", 11, { view: { type: "command", command: "cargo nextest run import", exit_code: 0 }, output: "Starting 14 tests across 2 binaries\n     Summary [3.1s] 14 tests run: 14 passed" }, 3.1),
        agent("The tests pass. Before I go on, two things are yours to decide.", 10),
        asks(question, 10),
      ],
      pending_dialogs: [question],
    },
    release: { messages: [user("Tag the release and push it.", 8), tool("Ran git tag v1.4.0", 7, { view: { type: "command", command: "git tag v1.4.0", exit_code: 0 }, output: "" }, 0.1)], pending_dialogs: [approval] },
    login: {
      messages: [
        user("Why is the login slow since Monday?", 20),
        tool("Searched for session", 19, { view: { type: "search", query: "session", path: "src" }, output: "src/session.rs:14\nsrc/login.rs:88" }),
        tool("Ran psql -c 'explain analyze select 1'", 18, { status: "error", view: { type: "command", command: "psql -c 'explain analyze select 1'", exit_code: 2 }, output: "psql: error: connection to server failed" }, 5.2),
        tool("Updated the list", 18, { view: { type: "todo", items: [{ text: "Find the slow query", status: "completed" }, { text: "Measure it on a copy", status: "in_progress" }, { text: "Build the index", status: "pending" }] } }),
        tool("Asked a subagent to read the logs", 17, { view: { type: "subagent", description: "Read the logs of Monday", agent: "a1" }, output: "The time goes into **one** query." }, 41),
        tool("docs · look_up", 16, { view: { type: "mcp", server: "docs", tool: "look_up" }, input: { topic: "partial index" }, output: "x".repeat(400), cut: true }),
        agent(longAnswer, 14),
        life("unknown", 14),
      ],
    },
    nom: {
      messages: [
        life("cleared", 40),
        user("Plan first, please.", 34),
        asks(plan, 31),
        agent("The tag module is done and its tests pass.", 6),
        tool("Running cargo nextest run", 2, { status: "running", view: { type: "command", command: "cargo nextest run" }, ended_at: undefined }),
      ],
      tail: { text: "The tag module is done. Now the length decoder, which is the only place that reads more than one byte ahead, so it needs" },
    },
    notes: { messages: [user("Read the incident notes and say what repeats.", 31), tool("Reading incidents 1 to 9", 30, { status: "running", view: { type: "subagent", description: "What repeats in the incidents 1 to 9", agent: "n1" }, ended_at: undefined }), tool("Reading incidents 10 to 14", 30, { status: "running", view: { type: "subagent", description: "What repeats in the incidents 10 to 14", agent: "n2" }, ended_at: undefined })] },
    fresh: { messages: [], transcript: "locating" },
    quiet: { messages: [] },
    dark: { messages: [user("Dark mode for the docs.", 4000), agent("Done. 12 files changed.", 3900), life("interrupted", 3900)] },
    lost: { messages: [], transcript: "gone" },
    long: { messages: long() },
    demo: { messages: [agent("This is a demo. Write `stream a long answer`, `safe tool` or anything else.", 1)] },
  };
}

function long() {
  const messages = [];
  for (let i = 0; i < 600; i += 1) {
    messages.push(user(`Question ${i}: what does part ${i} do?`, 900 - i));
    messages.push(tool(`Read src/part_${i}.rs`, 900 - i, { view: { type: "read", path: `src/part_${i}.rs` }, output: "fn part() {}" }));
    messages.push(agent(`Part **${i}** reads its input once.\n\n- it keeps a place\n- it never goes back\n\n${"It is small and has tests. ".repeat(i % 7)}`, 900 - i));
  }
  return messages;
}

export function runs() {
  return [
    run("bank", "Import bank statements", "question", 0, { cwd: "/home/me/work/ledger", branch: "feat/import", last_line: "Asks: which date column, which categories", pending_dialogs: 1, context_usage: { used: 124_000, limit: 200_000 } }),
    run("release", "Tidy the release script", "question", 6, { cwd: "/home/me/work/tools", branch: "main", last_line: "Wants to run: git push --tags", pending_dialogs: 1 }),
    run("login", "Why is the login slow", "needs_input", 14, { cwd: "/home/me/work/shop", branch: "main", last_line: "Found it: the session table has no index on user_id, so every request scans 4 million rows.", context_usage: { used: 41_000, limit: 200_000 } }),
    run("nom", "Port the parser to nom 8", "working", 2, { cwd: "/home/me/work/asn1", branch: "nom8", permission_mode: "acceptEdits", last_line: "Running cargo nextest, 212 of 340", context_usage: { used: 88_000, limit: 200_000 }, warnings: [{ code: "untested_version", message: "Version 2.5.0 is newer than what was verified.", hint: "It will most likely work. Run the compatibility check to be sure." }] }),
    run("notes", "Read the incident notes", "working", 31, { cwd: "/home/me/work/ops", last_line: "3 subagents reading" }),
    run("demo", "Try it out", "needs_input", 1, { cwd: "/tmp/demo", last_line: "This is a demo.", demo: true, context_usage: { used: 2_000, limit: 200_000 } }),
    run("fresh", "Write the changelog", "idle", 0, { cwd: "/home/me/work/tools" }),
    run("quiet", "Empty room", "idle", 90),
    run("long", "A very long conversation about every single part of the whole system and then some", "idle", 200, { cwd: "/home/me/work/monolith", branch: "main" }),
    run("dark", "Dark mode for the docs", "ended", 3900, { cwd: "/home/me/work/docs", branch: "dark", last_line: "Done. 12 files changed.", ended_at: ago(3900), exit: { code: 0 } }),
    run("lost", "Old experiment", "ended", 9000, { cwd: "/home/me/work/old", ended_at: ago(9000), exit: {} }),
  ];
}
