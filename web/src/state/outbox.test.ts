import { expect, test } from "vitest";
import { sampleConversation, sampleHeld, sampleMessage, sampleReceipt } from "../test/samples.ts";
import { pendingReplies, settled } from "./outbox.ts";

const sent = { c1: { run: "r1", text: "hello", at: 1000 }, c2: { run: "r2", text: "else", at: 1000 } };
const receipt = (change: object) => ({ x1: sampleReceipt({ client_id: "c1", ...change }) });

test("a text that was just handed over waits as accepted", () => {
  expect(pendingReplies(sampleConversation([]), sent, "r1")).toEqual([{ clientId: "c1", text: "hello", status: "accepted", detail: undefined }]);
});

test.each(["typed", "queued", "failed"] as const)("a %s text stays, with the reason", (status) => {
  const conversation = sampleConversation([], { receipts: receipt({ status, detail: "why" }) });
  expect(pendingReplies(conversation, sent, "r1")).toMatchObject([{ status, detail: "why" }]);
  expect(settled(conversation, sent, "r1", 10_000_000)).toEqual([]);
});

test("recorded is not enough: the bubble stays until the message is there", () => {
  const receipts = receipt({ status: "recorded", position: "7.0" });
  expect(pendingReplies(sampleConversation([], { receipts }), sent, "r1")).toHaveLength(1);
  const arrived = sampleConversation([sampleMessage("7.0", { role: "user" })], { receipts });
  expect(pendingReplies(arrived, sent, "r1")).toEqual([]);
  expect(settled(arrived, sent, "r1", 2000)).toEqual(["c1"]);
});

test("a message that stands above what is loaded has arrived", () => {
  const receipts = receipt({ status: "recorded", position: "7.0" });
  expect(pendingReplies(sampleConversation([sampleMessage("9.0")], { receipts, hasMore: true }), sent, "r1")).toEqual([]);
});

test("a recorded reply that names no message has no bubble to wait for", () => {
  expect(pendingReplies(sampleConversation([], { receipts: receipt({ status: "recorded" }) }), sent, "r1")).toEqual([]);
});

test("what the server has forgotten is forgotten here too, after a while", () => {
  expect(settled(sampleConversation([]), sent, "r1", 2000)).toEqual([]);
  expect(settled(sampleConversation([]), sent, "r1", 10_000_000)).toEqual(["c1"]);
});

test("what is held stands in the queue, and not in the conversation too", () => {
  const receipts = receipt({ status: "queued" });
  expect(pendingReplies(sampleConversation([], { receipts, queued: [sampleHeld({ id: "x1", text: "in other words" })] }), sent, "r1")).toEqual([]);
  expect(pendingReplies(sampleConversation([], { receipts, queued: [sampleHeld({ id: "x2", text: "hello" })] }), sent, "r1")).toHaveLength(1);
});

test("what the agent itself holds is not in our queue: it stands in the conversation", () => {
  const conversation = sampleConversation([], { receipts: receipt({ status: "queued", detail: "The CLI holds it." }) });
  expect(pendingReplies(conversation, sent, "r1")).toMatchObject([{ status: "queued", detail: "The CLI holds it." }]);
});
