import { expect, test } from "vitest";
import { sampleAsked, sampleReceipt, sampleRun } from "../test/samples.ts";
import { auditFile, provedBy, readAudit, saidIn, withReceipts } from "./audit.ts";

const reply = { ...sampleReceipt({ id: "r1", status: "recorded", position: "5.0", epoch: "e1" }) };
const answer = { ...sampleReceipt({ id: "a1", kind: "answer", door: "live", status: "failed", detail: "Both sides." }), dialog: sampleAsked(), answers: [{ selected: [1] }, { selected: [0], other_text: "rocket" }] };

test("the newest comes first; what cannot be read is left out, an unknown word is not", () => {
  const audit = readAudit([reply, { nonsense: true }, null, answer, { ...reply, id: "r2", kind: "vote", answers: "broken" }]);
  expect(audit.map(({ id, kind }) => [id, kind])).toEqual([["r2", "unknown"], ["a1", "answer"], ["r1", "reply"]]);
});

test("an answer is told question by question", () => {
  const [entry] = readAudit([answer]);
  expect(entry && saidIn(entry)).toEqual([["Which colour?", "Blue"], ["Which toppings?", "Ham, rocket"]]);
});

test("only what is recorded leads to its message, in its own epoch", () => {
  const entries = readAudit([reply, answer, { ...reply, id: "r3", epoch: null }]);
  expect(entries.map((entry) => provedBy(entry, "now"))).toEqual([{ position: "5.0", epoch: "now" }, undefined, { position: "5.0", epoch: "e1" }]);
});

test("the stream's receipts renew the list, and one that is not in it makes it old", () => {
  const audit = readAudit([answer]);
  expect(withReceipts(audit, { a1: sampleReceipt({ id: "a1", kind: "answer", status: "recorded" }) })).toMatchObject([{ status: "recorded", answers: [{ selected: [1] }, {}] }]);
  expect(withReceipts(audit, { new: sampleReceipt({ id: "new" }) })).toBeNull();
});

test("the file holds every entry as the server gave it, and the words that were shown", () => {
  const raw = [{ ...reply, from_the_future: 1 }, { id: "r2", text: "own" }, "odd"];
  const { name, text } = auditFile(sampleRun({ id: "r/1" }), raw, { r1: "hello", r2: "never" }, new Date("2026-03-04T05:06:07Z"));
  expect(name).toBe("seamux-r-1-2026-03-04.json");
  expect(JSON.parse(text)).toMatchObject({ run: { id: "r/1", title: "A run" }, entries: [{ id: "r1", from_the_future: 1, text: "hello" }, { id: "r2", text: "own" }, "odd"] });
});

test("what was said instead of an answer is read, and is none", () => {
  const [entry] = readAudit([{ ...answer, answers: undefined, discuss: "why?" }]);
  expect([entry?.discuss, entry && saidIn(entry)]).toEqual(["why?", []]);
});
