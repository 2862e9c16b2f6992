import { expect, test } from "vitest";
import { sampleConversation, sampleMessage, sampleReceipt } from "../test/samples.ts";
import { heldElsewhere, pendingReplies, settled } from "./outbox.ts";

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

test("a held reply is its bubble's by the receipt's id, whatever the words", () => {
  const receipts = receipt({ status: "queued" });
  const pending = pendingReplies(sampleConversation([], { receipts }), sent, "r1");
  const queued = ["x1", "x2"].map((id) => ({ id, text: "hello", reason: "r", by: "", at: "" }));
  expect(heldElsewhere(queued, pending).map(({ id }) => id)).toEqual(["x2"]);
  expect(heldElsewhere([{ id: "x1", text: "hello, in other words", reason: "r", by: "", at: "" }], pending)).toEqual([]);
});

test("held replies from elsewhere are listed, ours are not listed twice", () => {
  const queued = ["hello", "from the phone"].map((text) => ({ id: text, text, reason: "r", by: "", at: "" }));
  const pending = pendingReplies(sampleConversation([]), sent, "r1");
  expect(heldElsewhere(queued, pending).map(({ text }) => text)).toEqual(["from the phone"]);
});
