import { expect, test } from "vitest";
import { receiptSchema } from "../api/schema.ts";
import { sampleAsked, sampleConversation, sampleMessage, sampleReceipt, sampleTool } from "../test/samples.ts";
import { device, newClientId } from "./device.ts";
import { answersOf } from "./proofs.ts";
import { buildRows } from "./rows.ts";
import { whose } from "./whose.ts";

const answer = (change: object = {}) => sampleReceipt({ id: "a1", kind: "answer", door: "live", status: "recorded", by: "browser", dialog_id: "d1", ...change });
const outcome = { accepted: true, discussed: false, answers: [] };
const asked = sampleMessage("1.0", { kind: "dialog", dialog: { ...sampleAsked(), outcome } });
const row = (receipts: Record<string, ReturnType<typeof answer>>, watched: string[] = []) => {
  const found = buildRows(sampleConversation([asked], { receipts, watched }), []).find(({ type }) => type === "dialog");
  if (found?.type !== "dialog") throw new Error("no dialog");
  return found;
};

test("an answer is found by the dialog that it names, wherever its proof stands", () => {
  expect(row({ a1: answer({ position: "9.0" }) }).receipt?.id).toBe("a1");
  expect(row({ a1: answer({ dialog_id: "other", position: "1.0" }) }).receipt).toBeUndefined();
  expect(row({ a1: answer({ dialog_id: undefined, position: "1.0" }) }).receipt?.id).toBe("a1");
});

test("of several answers to one dialog the recorded one counts, then the last one", () => {
  const receipts = { a1: answer({ at: "2026-01-01T10:00:00Z" }), a2: answer({ id: "a2", status: "failed", at: "2026-01-01T11:00:00Z" }) };
  expect(answersOf(sampleConversation([], { receipts })).of("d1")?.id).toBe("a1");
  const failed = { a1: answer({ status: "failed" }), a2: answer({ id: "a2", status: "failed", at: "2026-01-01T11:00:00Z" }) };
  expect(answersOf(sampleConversation([], { receipts: failed })).of("d1")?.id).toBe("a2");
});

test("the terminal answered: a receipt says so, or nobody else can have done it", () => {
  expect(row({ a1: answer({ door: "terminal", by: "" }) }).terminal).toBe(true);
  expect(row({}, ["d1"]).terminal).toBe(true);
  expect(row({}, []).terminal).toBe(false);
  expect(row({ a1: answer({ door: "live" }) }, ["d1"]).terminal).toBe(false);
  // An answer on its way to another dialog says nothing about this one; one without a name might.
  expect(row({ a1: answer({ dialog_id: "d2", status: "typed" }) }, ["d1"]).terminal).toBe(true);
  expect(row({ a1: answer({ dialog_id: undefined, status: "typed" }) }, ["d1"]).terminal).toBe(false);
});

test("a call has the answer to the permission that it asked for", () => {
  const receipts = { a1: answer({ dialog_id: "call-2" }) };
  const calls = [sampleTool("1.0", { call_id: "call-1" }), sampleTool("2.0", { call_id: "call-2" })];
  const tools = buildRows(sampleConversation(calls, { receipts }), []).find(({ type }) => type === "tools");
  expect(tools?.type === "tools" && tools.answers.map(({ dialog_id }) => dialog_id)).toEqual(["call-2"]);
});

test("a receipt of another epoch proves nothing at the same place of this one", () => {
  const receipts = { x1: sampleReceipt({ status: "recorded", position: "1.0", epoch: "e0" }), x2: sampleReceipt({ id: "x2", status: "recorded", position: "2.0", epoch: "e1" }) };
  const rows = buildRows(sampleConversation([sampleMessage("1.0", { role: "user" }), sampleMessage("2.0", { role: "user" })], { receipts }), []);
  expect(rows.flatMap((one) => (one.type === "text" ? [one.receipt?.id] : []))).toEqual([undefined, "x2"]);
});

test("who: this browser, another one, a program, the terminal; and nobody is named on a guess", () => {
  const by = (change: object) => whose(sampleReceipt({ by: "browser", ...change }));
  expect(by({ client_id: newClientId() })).toBe("you");
  expect(by({ client_id: `b-${device() === "b-00000000" ? "11111111" : "00000000"}.x` })).toBe("another");
  expect([by({ client_id: undefined }), by({ client_id: "3f1c-of-an-older-page" })]).toEqual(["browser", "browser"]);
  expect([by({ by: "token" }), by({ by: "seamux" }), by({ door: "terminal", by: "" }), by({ by: "pager" })]).toEqual(["token", "seamux", "terminal", "pager"]);
});

test("a receipt of a newer server keeps what this page can read", () => {
  const read = receiptSchema.parse({ id: "r", kind: "vote", status: "dreamt", door: "window", dialog_id: "d", epoch: "e", by: "x", at: "t", extra: {} });
  expect(read).toMatchObject({ kind: "unknown", status: "unknown", door: "unknown", dialog_id: "d", epoch: "e" });
});
