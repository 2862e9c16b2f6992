import { expect, test } from "vitest";
import { sampleConversation, sampleHeld, sampleMessage, sampleReceipt, sampleSnapshot } from "../test/samples.ts";
import { applyChange, fromSnapshot, upsert, withFirstReceipt, withOlder, withWhole } from "./conversation.ts";
import { comparePositions, findPosition } from "./position.ts";

const at = (...positions: string[]) => positions.map((position) => sampleMessage(position));
const positions = (messages: readonly { position: string }[]) => messages.map(({ position }) => position);

test("positions order by record, then block, as numbers", () => {
  expect(["10.0", "9.3", "9.10", "9.2"].toSorted(comparePositions)).toEqual(["9.2", "9.3", "9.10", "10.0"]);
  expect(findPosition(at("1.0", "5.0", "9.0"), "5.0")).toEqual({ index: 1, found: true });
  expect(findPosition(at("1.0", "5.0", "9.0"), "6.0")).toEqual({ index: 2, found: false });
  expect(findPosition([], "6.0")).toEqual({ index: 0, found: false });
});

test("a new message takes its place, a known one is replaced", () => {
  let messages: readonly ReturnType<typeof sampleMessage>[] = at("1.0", "5.0");
  messages = upsert(messages, sampleMessage("3.0"));
  messages = upsert(messages, sampleMessage("9.0"));
  messages = upsert(messages, sampleMessage("5.0", { text: "newer", revision: 2 }));
  expect(positions(messages)).toEqual(["1.0", "3.0", "5.0", "9.0"]);
  expect(messages[2]?.text).toBe("newer");
});

test("an older revision never overwrites a newer one", () => {
  const newer = [sampleMessage("1.0", { revision: 5, text: "newer" })];
  expect(upsert(newer, sampleMessage("1.0", { revision: 4, text: "older" }))).toBe(newer);
});

test("the same change twice changes nothing the second time", () => {
  const once = upsert(at("1.0"), sampleMessage("2.0"));
  expect(upsert(once, sampleMessage("2.0"))).toEqual(once);
});

test("a change of another epoch is not for this conversation", () => {
  const conversation = sampleConversation(at("1.0"));
  const message = sampleMessage("2.0");
  expect(applyChange(conversation, { name: "message.upsert", run_id: "r1", epoch: "e2", message })).toBe(conversation);
  expect(applyChange(conversation, { name: "tail.changed", run_id: "r1", epoch: "e2", tail: { text: "x" } })).toBe(conversation);
});

test("a first message makes the record available", () => {
  const conversation = sampleConversation([], { transcript: "locating" });
  const next = applyChange(conversation, { name: "message.upsert", run_id: "r1", epoch: "e1", message: sampleMessage("0.0") });
  expect(next.transcript).toBe("available");
});

test("tail, dialogs, queue and receipts follow the stream", () => {
  let conversation = sampleConversation([]);
  conversation = applyChange(conversation, { name: "tail.changed", run_id: "r1", epoch: "e1", tail: { text: "so" } });
  expect(conversation.tail).toBe("so");
  conversation = applyChange(conversation, { name: "tail.changed", run_id: "r1", epoch: "e1", tail: undefined });
  expect(conversation.tail).toBeNull();
  conversation = applyChange(conversation, { name: "receipt", run_id: "r1", receipt: sampleReceipt({ status: "recorded" }) });
  expect(conversation.receipts["x1"]?.status).toBe("recorded");
  conversation = applyChange(conversation, { name: "queue.changed", run_id: "r1", queued: [sampleHeld()] });
  expect(conversation.queued).toHaveLength(1);
});

test("the answer to a request never undoes what the stream has told since", () => {
  const conversation = sampleConversation([], { receipts: { x1: sampleReceipt({ status: "recorded" }) } });
  expect(withFirstReceipt(conversation, sampleReceipt({ status: "accepted" }))).toBe(conversation);
});

test("a snapshot is the truth for its part; pages from before stay while they join on", () => {
  const before = sampleConversation(at("1.0", "2.0", "3.0", "4.0"), { hasMore: true });
  const again = fromSnapshot(sampleSnapshot(at("3.0", "4.0", "5.0"), { has_more: true }), before);
  expect(positions(again.messages)).toEqual(["1.0", "2.0", "3.0", "4.0", "5.0"]);
  expect(again.hasMore).toBe(true);
});

test("a snapshot with a gap to what we had starts over", () => {
  const before = sampleConversation(at("1.0", "2.0"));
  const again = fromSnapshot(sampleSnapshot(at("8.0", "9.0"), { has_more: true }), before);
  expect(positions(again.messages)).toEqual(["8.0", "9.0"]);
  expect(again.hasMore).toBe(true);
});

test("a snapshot of a new epoch starts over", () => {
  const before = sampleConversation(at("1.0", "2.0"));
  const again = fromSnapshot(sampleSnapshot(at("0.0"), { epoch: "e2", has_more: true }), before);
  expect(positions(again.messages)).toEqual(["0.0"]);
});

test("a snapshot after a restart wins although its revisions count from the start again", () => {
  const before = sampleConversation([sampleMessage("1.0", { revision: 90, text: "old" })]);
  const again = fromSnapshot(sampleSnapshot([sampleMessage("1.0", { revision: 1, text: "new" })]), before);
  expect(again.messages[0]?.text).toBe("new");
});

test("older pages go in front, and never over what is there", () => {
  const conversation = sampleConversation([sampleMessage("5.0", { text: "mine", revision: 3 })], { hasMore: true });
  const next = withOlder(conversation, sampleSnapshot([...at("1.0", "2.0"), sampleMessage("5.0", { revision: 9 })], { has_more: true }));
  expect(positions(next.messages)).toEqual(["1.0", "2.0", "5.0"]);
  expect(next.messages[2]?.text).toBe("mine");
  expect(next.hasMore).toBe(true);
});

test("a page that brings nothing new ends the asking; one of another epoch is dropped", () => {
  const conversation = sampleConversation(at("5.0"), { hasMore: true });
  expect(withOlder(conversation, sampleSnapshot(at("5.0"), { has_more: true })).hasMore).toBe(false);
  expect(withOlder(conversation, sampleSnapshot(at("1.0"), { epoch: "e0" }))).toBe(conversation);
});

test("the whole form of a cut message takes its place", () => {
  const conversation = sampleConversation([sampleMessage("1.0", { cut: true, text: "sho" })]);
  const next = withWhole(conversation, sampleMessage("1.0", { cut: true, text: "short and long" }));
  expect(next.messages[0]).toMatchObject({ text: "short and long", cut: false });
});
