import { expect, test } from "vitest";
import type { Dialog } from "../api/schema.ts";
import { sampleConversation, sampleMessage, sampleReceipt, sampleTool } from "../test/samples.ts";
import { buildRows, rowBuilder } from "./rows.ts";

const dialog: Dialog = { id: "d1", kind: "question", title: "Which?", body: "", questions: [], answerable: false, can_discuss: false, channel: "none" };
const types = (rows: ReturnType<typeof buildRows>) => rows.map(({ type }) => type);

test("a row tells of the permission mode where it changed between two prompts, and nowhere else", () => {
  const said = (position: string, permission_mode: string | undefined) => sampleMessage(position, { role: "user", permission_mode });
  const messages = [said("1.0", "default"), said("2.0", "default"), sampleMessage("3.0"), said("4.0", "plan"), said("5.0", undefined), said("6.0", "plan")];
  const rows = buildRows(sampleConversation(messages), []);
  expect(rows.filter((row) => row.type === "mode").map(({ key, mode }) => [key, mode])).toEqual([["mode:4.0", "plan"]]);
  expect(rows.findIndex((row) => row.type === "mode") + 1).toBe(rows.findIndex((row) => row.key === "4.0"));
});

test("a turn opens where the speaker changes", () => {
  const rows = buildRows(
    sampleConversation([sampleMessage("1.0", { role: "user" }), sampleMessage("2.0"), sampleMessage("3.0"), sampleMessage("4.0", { role: "user" })]),
    [],
  );
  expect(types(rows)).toEqual(["start", "text", "text", "text", "text"]);
  expect(rows.map(({ opens }) => opens)).toEqual([false, true, true, false, true]);
});

test("tool calls in a row are one group, text between them divides", () => {
  const rows = buildRows(sampleConversation([sampleTool("1.0"), sampleTool("2.0"), sampleMessage("3.0"), sampleTool("4.0")]), []);
  expect(types(rows)).toEqual(["start", "tools", "text", "tools"]);
  expect(rows[1]).toMatchObject({ key: "1.0", messages: [{ position: "1.0" }, { position: "2.0" }] });
});

test("records that nobody knows are hidden, and don't divide a group", () => {
  const unknown = sampleMessage("2.0", { kind: "lifecycle", lifecycle: { event: "unknown" } });
  const odd = sampleMessage("3.0", { kind: "unknown" });
  const rows = buildRows(sampleConversation([sampleTool("1.0"), unknown, odd, sampleTool("4.0")]), []);
  expect(types(rows)).toEqual(["start", "tools"]);
});

test("errors, thinking and lifecycle are rows of their own kind", () => {
  const rows = buildRows(
    sampleConversation([
      sampleMessage("1.0", { kind: "lifecycle", lifecycle: { event: "started" } }),
      sampleMessage("2.0", { thinking: true }),
      sampleMessage("3.0", { error: "overloaded" }),
    ]),
    [],
  );
  expect(types(rows)).toEqual(["lifecycle", "thinking", "error"]);
});

test("a cleared conversation begins with a knot", () => {
  const epochs = ["e0", "e1"].map((id) => ({ id, reason: "clear", started_at: "" }));
  expect(types(buildRows(sampleConversation([sampleMessage("1.0")], { epochs }), []))).toEqual(["knot", "text"]);
  expect(types(buildRows(sampleConversation([sampleMessage("1.0")], { epochs, hasMore: true }), []))).toEqual(["text"]);
});

test("the tail is the last agent row until the record has its words", () => {
  const growing = sampleConversation([sampleMessage("1.0", { role: "user" })], { tail: "The answer is" });
  expect(types(buildRows(growing, []))).toEqual(["start", "text", "tail"]);
  const recorded = sampleConversation([sampleMessage("1.0", { role: "user" }), sampleMessage("2.0", { text: "The answer is 42." })], { tail: "The answer is" });
  expect(types(buildRows(recorded, []))).toEqual(["start", "text", "text"]);
});

test("what a subagent says stands apart, under its own name", () => {
  const rows = buildRows(sampleConversation([sampleMessage("1.0"), sampleMessage("2.0", { agent: "a1" }), sampleMessage("3.0", { agent: "a1" }), sampleMessage("4.0")]), []);
  expect(rows.map(({ opens, nested }) => [opens, nested])).toEqual([[false, false], [true, false], [true, true], [false, true], [true, false]]);
});

test("a tail that begins like an older answer is shown once a tool came between", () => {
  const rows = buildRows(sampleConversation([sampleMessage("1.0", { text: "The same start." }), sampleTool("2.0")], { tail: "The" }), []);
  expect(types(rows)).toEqual(["start", "text", "tools", "tail"]);
});

test("a tail after an older answer is shown", () => {
  const rows = buildRows(sampleConversation([sampleMessage("1.0", { text: "Before." })], { tail: "After" }), []);
  expect(types(rows)).toEqual(["start", "text", "tail"]);
});

test("a pending dialog is shown once, in its place if the record has it", () => {
  const message = sampleMessage("1.0", { kind: "dialog", dialog });
  const rows = buildRows(sampleConversation([message], { pendingDialogs: [dialog] }), []);
  expect(rows.filter(({ type }) => type === "dialog")).toMatchObject([{ key: "1.0", live: true, speaker: "ask" }]);
  expect(buildRows(sampleConversation([], { pendingDialogs: [dialog] }), [])).toMatchObject([{ key: "dialog:d1", live: true }]);
});

test("a dialog that is answered, or no longer pending, does not wait", () => {
  const answered = { ...dialog, outcome: { accepted: true, discussed: false, answers: [] } };
  const rows = buildRows(
    sampleConversation([sampleMessage("1.0", { kind: "dialog", dialog: answered }), sampleMessage("2.0", { kind: "dialog", dialog: { ...dialog, id: "d2" } })], {
      pendingDialogs: [dialog],
    }),
    [],
  );
  expect(rows.filter((row) => row.type === "dialog").map((row) => row.live)).toEqual([false, false]);
});

test("a recorded receipt is ticked on its message", () => {
  const receipt = sampleReceipt({ status: "recorded", position: "1.0" });
  const rows = buildRows(sampleConversation([sampleMessage("1.0", { role: "user" })], { receipts: { x1: receipt } }), []);
  expect(rows[1]).toMatchObject({ type: "text", receipt: { status: "recorded" } });
});

test("rows that did not change are the same objects", () => {
  const build = rowBuilder();
  const conversation = sampleConversation([sampleMessage("1.0"), sampleTool("2.0"), sampleTool("3.0")], { tail: "a" });
  const first = build(conversation, []);
  const second = build({ ...conversation, tail: "ab" }, []);
  expect(second[1]).toBe(first[1]);
  expect(second[2]).toBe(first[2]);
  expect(second[3]).not.toBe(first[3]);
  const third = build({ ...conversation, messages: [...conversation.messages, sampleTool("4.0")] }, []);
  expect(third[2]).not.toBe(first[2]);
});
