import { expect, test } from "vitest";
import { queuedSchema } from "../api/schema.ts";
import { sampleConversation, sampleHeld, sampleReceipt } from "../test/samples.ts";
import { canSend, leftMeanwhile, moved, reworded, unsaved } from "./queue.ts";

const line = ["a", "b", "c"].map((id) => sampleHeld({ id }));
const editing = { id: "x1", text: "new words", was: "held words" };

test("an entry moves by one place, and not past an end", () => {
  expect(moved(line, "a", 1)).toEqual({ before: "c", place: 2, of: 3 });
  expect(moved(line, "b", 1)).toEqual({ before: null, place: 3, of: 3 });
  expect(moved(line, "c", -1)).toEqual({ before: "b", place: 2, of: 3 });
  expect(moved(line, "b", -1)).toEqual({ before: "a", place: 1, of: 3 });
  expect([moved(line, "a", -1), moved(line, "c", 1), moved(line, "gone", 1)]).toEqual([undefined, undefined, undefined]);
});

test("what waits for a person is no place to move to, and does not move itself", () => {
  const mixed = [sampleHeld({ id: "d", cause: "doubt" }), ...line.slice(0, 1), sampleHeld({ id: "e", cause: "epoch" }), ...line.slice(1)];
  expect(moved(mixed, "b", -1)).toEqual({ before: "a", place: 1, of: 3 });
  expect(moved(mixed, "a", -1)).toBeUndefined();
  expect(moved(mixed, "e", 1)).toBeUndefined();
});

test.each([
  [{ cause: "draft" }, "anyway"],
  [{ cause: "epoch" }, "here"],
  [{ cause: "doubt", when: "after_turn" }, "here"],
  [{ cause: "turn", when: "after_turn" }, "now"],
  [{ cause: "dialog", when: "after_turn" }, "now"],
  [{ cause: "turn", when: "now" }, undefined],
  [{ cause: "starting" }, undefined],
  [{ cause: "unknown" }, undefined],
] as const)("what sending now changes for %j: %s", (change, expected) => expect(canSend(sampleHeld(change))).toBe(expected));

test("what was sent anyway once is not offered again", () => expect(canSend(sampleHeld({ cause: "draft" }), ["x1"])).toBeUndefined());

test("an entry that leaves while it is edited closes the editor and keeps the words", () => {
  const gone = sampleConversation([], { receipts: { x1: sampleReceipt({ status: "typed" }) } });
  expect(leftMeanwhile({ editing }, gone)).toMatchObject({ editing: undefined, note: { kind: "sent", words: "new words" } });
  expect(leftMeanwhile({ editing: { ...editing, text: "held words " } }, gone).note).toEqual({ kind: "sent", words: "" });
  const removed = sampleConversation([], { receipts: { x1: sampleReceipt({ status: "failed" }) } });
  expect(leftMeanwhile({ editing }, removed).note).toEqual({ kind: "gone", words: "new words" });
  const there = { editing };
  expect(leftMeanwhile(there, sampleConversation([], { queued: [sampleHeld()] }))).toBe(there);
});

test("words in the editor count only where they differ", () => {
  expect([unsaved(editing), unsaved({ ...editing, text: " held words" }), unsaved(undefined)]).toEqual(["new words", "", ""]);
});

test("a text of ours that was changed while it was held is remembered as it is now", () => {
  const sent = { c1: { run: "r1", text: "old", at: 1 }, c2: { run: "r1", text: "same", at: 1 } };
  const receipts = { x1: sampleReceipt({ id: "x1", client_id: "c1" }), x2: sampleReceipt({ id: "x2", client_id: "c2" }), x3: sampleReceipt({ id: "x3", client_id: "c3" }) };
  const queued = [sampleHeld({ id: "x1", text: "new" }), sampleHeld({ id: "x2", text: "same" }), sampleHeld({ id: "x3", text: "of another" }), sampleHeld({ id: "x4" })];
  expect(reworded(sampleConversation([], { receipts, queued }), sent)).toEqual({ c1: "new" });
});

test("a queue of a newer server is still a queue", () => {
  expect(queuedSchema.parse({ id: "q", text: "t", when: "tomorrow", cause: "moon", reason: "The moon is full.", by: "b", at: "a", more: 1 })).toMatchObject({ when: "unknown", cause: "unknown", reason: "The moon is full." });
});
