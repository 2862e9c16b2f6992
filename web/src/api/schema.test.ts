import { expect, test } from "vitest";
import { readChange } from "./events.ts";
import { messageSchema, providersSchema, runSchema, runsSchema, snapshotSchema, threadSchema, toolSchema } from "./schema.ts";

const run = {
  id: "r1", provider: "p", title: "T", state: "working", cwd: "/w", branch: "main", model: "m", effort: "high", permission_mode: "plan",
  origin: "adopted", epoch: "e", created_at: "2026-01-01T00:00:00Z", last_activity_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:00Z",
  exit: { code: 1 }, pending_dialogs: 1, queued: 2, context_usage: { used: 1, limit: 2 }, cli_version: "1", compat: "untested",
  attach: { command: "tmux", socket: "s", session: "x" }, warnings: [{ code: "c", message: "m", hint: "h" }], last_line: "l", read_only: false, demo: true,
};
const dialog = {
  id: "d", kind: "question", title: "t", questions: [{ header: "h", text: "q", options: [{ label: "a", description: "b", preview: "p" }], multi_select: true, free_text: false }],
  answerable: true, channel: "live", outcome: { accepted: true, answers: [["q", "a"]], detail: "d" },
};
const views = [
  { type: "diff", path: "p", diff: "d" },
  { type: "command", command: "c", exit_code: 0, background: true },
  { type: "write", path: "p", content: "c" },
  { type: "read", path: "p" },
  { type: "todo", items: [{ text: "t", status: "pending" }] },
  { type: "search", query: "q", path: "p" },
  { type: "subagent", description: "d", agent: "a" },
  { type: "mcp", server: "s", tool: "t" },
];
const tool = { call_id: "c", name: "n", title: "t", input: { a: [1] }, output: "o", status: "ok", started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:01Z" };

test("a run is read as the server writes it", () => {
  expect(runSchema.parse(run)).toEqual(run);
});

test("what the server leaves out is absent, not null", () => {
  const { branch: _branch, exit: _exit, ...bare } = run;
  expect(runSchema.parse({ ...bare, model: null })).not.toHaveProperty("branch", null);
  expect(runSchema.parse({ ...bare, model: null }).model).toBeUndefined();
});

test.each(views)("a tool's view is read: $type", (view) => {
  expect(toolSchema.parse({ ...tool, view }).view).toEqual(view);
});

test("a view of a kind from the future leaves the tool readable", () => {
  const read = toolSchema.parse({ ...tool, view: { type: "hologram", depth: 3 } });
  expect(read.view).toBeUndefined();
  expect(read.title).toBe("t");
});

test("words from the future become unknown, fields from the future are dropped", () => {
  const read = runSchema.parse({ ...run, state: "dreaming", compat: "blessed", mood: "good" });
  expect(read.state).toBe("unknown");
  expect(read.compat).toBe("unknown");
  expect(read).not.toHaveProperty("mood");
  expect(messageSchema.parse({ position: "1.0", kind: "lifecycle", lifecycle: { event: "molted" } }).lifecycle?.event).toBe("unknown");
  expect(messageSchema.parse({ position: "1.0", kind: "poem" }).kind).toBe("unknown");
});

test("a hidden record and a message of a branch that was left are read", () => {
  const hidden = { position: "1.0", kind: "lifecycle", lifecycle: { event: "hidden", detail: "injected" } };
  expect(messageSchema.parse(hidden)).toMatchObject({ lifecycle: { event: "hidden", detail: "injected" }, abandoned: false });
  expect(messageSchema.parse({ ...hidden, abandoned: true }).abandoned).toBe(true);
});

test("a thread needs no more than its messages", () => {
  expect(threadSchema.parse({ messages: [{ position: "1.0", kind: "text" }, 7] })).toMatchObject({ messages: [{ position: "1.0" }], has_more: false, transcript: "available" });
  expect(threadSchema.parse({ messages: [], has_more: true, transcript: "asleep", epoch: "e" })).toMatchObject({ has_more: true, transcript: "unknown" });
});

test("one run that can't be read does not hide the others", () => {
  expect(runsSchema.parse({ cursor: "b-1", runs: [{ id: 7 }, run, null] }).runs.map(({ id }) => id)).toEqual(["r1"]);
});

test("a snapshot is read with everything in it", () => {
  const read = snapshotSchema.parse({
    run_id: "r1", epoch: "e", epochs: [{ id: "e", reason: "startup", started_at: "2026-01-01T00:00:00Z" }],
    messages: [{ position: "0.0", kind: "dialog", dialog, revision: 4 }, { position: "no", kind: "text" }],
    has_more: true, state: "question", pending_dialog: dialog, pending_dialogs: [dialog], queued: [{ id: "q", text: "t", reason: "r", by: "b", at: "a" }],
    context_usage: { used: 1, limit: 2 }, cursor: "b-12", transcript: "locating", tail: { text: "so" },
    receipts: [{ id: "x", kind: "reply", status: "recorded", door: "live", position: "0.0", client_id: "c", by: "b", at: "a" }],
  });
  expect(read.messages).toHaveLength(1);
  expect(read.pending_dialogs[0]?.outcome?.answers).toEqual([["q", "a"]]);
  expect(read.cursor).toBe("b-12");
  expect(read.tail?.text).toBe("so");
  expect(read.receipts[0]?.position).toBe("0.0");
});

test("a provider that is not installed says so with null", () => {
  const one = { id: "p", display_name: "P", installed: null, compat: "verified", pinned_version: "1", models: [{ id: "m", label: "M" }], efforts: [], permission_modes: [], options: [], auth: { kind: "api_key" }, open: null, capabilities: [] };
  const [read] = providersSchema.parse({ providers: [one] }).providers;
  expect(read?.installed).toBeUndefined();
  expect(read?.models).toEqual([{ id: "m", label: "M", description: "" }]);
});

const events: [string, unknown][] = [
  ["run.changed", { run }],
  ["run.removed", { id: "r1" }],
  ["message.upsert", { run_id: "r1", epoch: "e", message: { position: "1.0", kind: "text", role: "user", text: "hi", revision: 3 } }],
  ["receipt", { run_id: "r1", receipt: { id: "x", kind: "interrupt", status: "typed", door: "keys", by: "b", at: "a" } }],
  ["dialog.changed", { run_id: "r1", pending_dialogs: [dialog] }],
  ["queue.changed", { run_id: "r1", queued: [] }],
  ["epoch.changed", { run_id: "r1", epoch: "e2" }],
  ["tail.changed", { run_id: "r1", epoch: "e", tail: { text: "a" } }],
  ["tail.changed", { run_id: "r1", epoch: "e", tail: null }],
  ["heartbeat", { time: "2026-01-01T00:00:00Z" }],
  ["resync", {}],
  ["resync", { run: "r1" }],
];

test.each(events)("an event is read: %s", (name, data) => {
  expect(readChange(name, JSON.stringify(data))).toMatchObject({ name });
});

test.each([
  ["provider.changed", "{}"],
  ["constructor", "{}"],
  ["run.changed", "{"],
  ["run.changed", "{}"],
  ["message.upsert", '{"run_id":"r1","epoch":"e","message":{"position":"x"}}'],
])("an event that can't be read is passed over: %s %s", (name, data) => {
  expect(readChange(name, data)).toBeNull();
});
