import { expect, test } from "vitest";
import { sampleConversation, sampleMessage, sampleTool } from "../test/samples.ts";
import { buildRows, isSaid, plainView, type Row, type View } from "./rows.ts";
import { noThread, withNewest } from "./thread.ts";

const types = (rows: readonly Row[]) => rows.map(({ type }) => type);
const view = (change: Partial<View> = {}): View => ({ ...plainView, ...change });
const record = (position: string, event: "hidden" | "unknown" = "hidden") => sampleMessage(position, { kind: "lifecycle", text: undefined, lifecycle: { event, detail: "d" } });
const left = (position: string) => sampleMessage(position, { abandoned: true });

test("hidden records are shown in place only when wanted", () => {
  const conversation = sampleConversation([sampleMessage("1.0", { role: "user" }), record("2.0"), sampleMessage("3.0"), record("4.0", "unknown"), sampleMessage("5.0", { kind: "unknown" })]);
  expect(types(buildRows(conversation, []))).toEqual(["start", "text", "text"]);
  const rows = buildRows(conversation, [], [], view({ hidden: true }));
  expect(types(rows)).toEqual(["start", "text", "record", "text", "record", "record"]);
});

test("a hidden record neither divides a group of calls nor a turn, and makes no conversation", () => {
  const messages = [sampleMessage("1.0"), record("2.0"), sampleMessage("3.0"), sampleTool("4.0"), record("5.0"), sampleTool("6.0"), record("7.0")];
  const plain = buildRows(sampleConversation(messages), []);
  const rows = buildRows(sampleConversation(messages), [], [], view({ hidden: true }));
  expect(types(rows)).toEqual(["start", "text", "record", "text", "tools", "record"]);
  expect(rows[4]).toMatchObject({ messages: [{ position: "4.0" }, { position: "5.0" }, { position: "6.0" }] });
  const opens = (all: readonly Row[]) => all.flatMap((row) => (row.type === "record" ? [] : [row.opens]));
  expect(opens(rows)).toEqual(opens(plain));
  expect(buildRows(sampleConversation([record("1.0")]), [], [], view({ hidden: true })).some(isSaid)).toBe(false);
});

test("a branch that was left is one row, and opens to its messages", () => {
  const messages = [sampleMessage("1.0", { role: "user" }), left("2.0"), record("2.5"), left("3.0"), sampleMessage("4.0", { role: "user" })];
  const [, , fold, ...rest] = buildRows(sampleConversation(messages), []);
  expect(fold).toMatchObject({ type: "fold", count: 2, open: false, key: "fold:3.0" });
  expect(types(rest)).toEqual(["text"]);
  const opened = buildRows(sampleConversation(messages), [], [], view({ folds: new Set(["fold:3.0"]) }));
  expect(opened.map((row) => [row.type, row.left])).toEqual([["start", false], ["text", false], ["fold", false], ["text", true], ["text", true], ["text", false]]);
});

test("a left branch that grows at its front by an older page stays open", () => {
  const folds = new Set(["fold:3.0"]);
  const rows = buildRows(sampleConversation([left("1.0"), left("2.0"), left("3.0")], { hasMore: true }), [], [], view({ folds }));
  expect(rows[0]).toMatchObject({ type: "fold", count: 3, open: true });
});

test("what was left asks nothing, and does not hold back what is being written", () => {
  const dialog = { id: "d1", kind: "question" as const, title: "Which?", body: "", questions: [], answerable: false, can_discuss: false, channel: "none" as const };
  const messages = [sampleMessage("1.0", { text: "The same" }), sampleMessage("2.0", { kind: "dialog", dialog, abandoned: true })];
  const rows = buildRows(sampleConversation(messages, { pendingDialogs: [dialog] }), [], [], view({ folds: new Set(["fold:2.0"]) }));
  expect(rows.filter((row) => row.type === "dialog").map((row) => row.live)).toEqual([false, true]);
  const tail = sampleConversation([sampleMessage("1.0", { text: "Before" }), sampleMessage("2.0", { text: "Written", abandoned: true })], { tail: "Wri" });
  expect(types(buildRows(tail, []))).toEqual(["start", "text", "fold", "tail"]);
});

const epochs = [
  { id: "e0", reason: "startup", started_at: "2026-01-01T10:00:00Z" },
  { id: "e1", reason: "compact", started_at: "2026-01-01T11:00:00Z" },
  { id: "e2", reason: "clear", started_at: "2026-01-01T12:00:00Z" },
];
const current = sampleConversation([sampleMessage("1.0", { kind: "lifecycle", lifecycle: { event: "cleared" } }), sampleMessage("2.0")], { epoch: "e2", epochs });

test("a knot says how the epoch began, and takes the place of the agent's own line about it", () => {
  expect(buildRows(current, [])).toMatchObject([{ type: "knot", key: "knot:e2", reason: "clear", previous: "e1", state: "closed", time: "2026-01-01T12:00:00Z" }, { type: "text" }]);
  expect(buildRows(current, [], [], view({ earlier: { e1: { ...noThread, busy: "newest" } } }))[0]).toMatchObject({ state: "reading", open: false });
  const failed = { ...noThread, failure: { message: "No.", hint: undefined } };
  expect(buildRows(current, [], [], view({ earlier: { e1: failed } }))[0]).toMatchObject({ state: "failed", failure: { message: "No." } });
});

const read = (positions: string[], has_more = false) =>
  withNewest(noThread, { epoch: "", messages: positions.map((position) => sampleMessage(position)), has_more, transcript: "available" });

test("opened epochs stand above, each with its knot and keys of its own", () => {
  const rows = buildRows(current, [], [], view({ earlier: { e1: read(["1.0", "2.0"]), e0: read(["1.0"]) } }));
  expect(rows.map(({ type, epoch }) => [type, epoch])).toEqual([
    ["start", "e2"], ["text", "e0"], ["knot", "e1"], ["text", "e1"], ["text", "e1"], ["knot", "e2"], ["text", "e2"],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  expect(rows[5]).toMatchObject({ state: "open", open: true });
});

test("the knot of an opened epoch waits until the epoch is read to its beginning", () => {
  expect(types(buildRows(current, [], [], view({ earlier: { e1: read(["5.0"], true) } })))).toEqual(["text", "knot", "text"]);
});

test("an earlier epoch without messages says so", () => {
  expect(types(buildRows(current, [], [], view({ earlier: { e1: read([]) } })))).toEqual(["knot", "empty", "knot", "text"]);
});

test("an empty conversation has its knot, and is empty all the same", () => {
  const rows = buildRows({ ...current, messages: [] }, []);
  expect(types(rows)).toEqual(["knot"]);
  expect(rows.some(isSaid)).toBe(false);
});

test("in a subagent's own thread its messages are the main line", () => {
  const conversation = sampleConversation([sampleMessage("1.0", { agent: "a1" }), sampleMessage("2.0", { agent: "a2" })], { hasMore: true });
  expect(buildRows(conversation, [], [], view({ own: "a1" })).map(({ nested }) => nested)).toEqual([false, true]);
});

test("an older page that adds to a group of calls leaves the group the same row", () => {
  const newest = sampleConversation([sampleTool("5.0"), sampleTool("6.0"), sampleMessage("7.0")], { hasMore: true });
  const first = buildRows(newest, []);
  expect(first.map(({ key, opens }) => [key, opens])).toEqual([["5.0", false], ["7.0", false]]);
  const more = { ...newest, hasMore: false, messages: [sampleMessage("2.0", { role: "user" }), sampleTool("3.0"), sampleTool("4.0"), ...newest.messages] };
  const next = buildRows(more, [], first);
  expect(next.map(({ key }) => key)).toEqual(["head", "2.0", "5.0", "7.0"]);
  expect(next[2]).toMatchObject({ messages: [{ position: "3.0" }, { position: "4.0" }, { position: "5.0" }, { position: "6.0" }] });
  expect(next[3]).toBe(first[1]);
  const live = buildRows({ ...more, messages: [...more.messages, sampleTool("8.0")] }, [], next);
  expect(live.map(({ key }) => key)).toEqual(["head", "2.0", "5.0", "7.0", "8.0"]);
});
