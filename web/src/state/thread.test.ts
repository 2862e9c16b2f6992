import { expect, test } from "vitest";
import type { Message, ThreadPage } from "../api/schema.ts";
import { sampleConversation, sampleMessage } from "../test/samples.ts";
import { chain, topOf } from "./chain.ts";
import { epochsOf, noThread, threadKey, withFailure, withNewest, withOlderPage, withWholeOf } from "./thread.ts";

const page = (messages: Message[], has_more = false): ThreadPage => ({ epoch: "", messages, has_more, transcript: "available" });
const at = (...positions: string[]) => positions.map((position) => sampleMessage(position));
const positions = (messages: readonly Message[]) => messages.map(({ position }) => position);

test("a page that is read again keeps what is older, and the objects that did not change", () => {
  const first = withNewest(noThread, page(at("5.0", "6.0"), true));
  const older = withOlderPage(first, page(at("3.0", "4.0"), true));
  expect(positions(older.messages)).toEqual(["3.0", "4.0", "5.0", "6.0"]);
  const next = withNewest(older, page([sampleMessage("5.0"), sampleMessage("6.0", { text: "more" }), sampleMessage("7.0")], true));
  expect(positions(next.messages)).toEqual(["3.0", "4.0", "5.0", "6.0", "7.0"]);
  expect(next.messages[2]).toBe(first.messages[0]);
  expect(next.messages[3]?.text).toBe("more");
  expect(next.hasMore).toBe(true);
});

test("a gap between two readings begins anew", () => {
  const had = withNewest(noThread, page(at("1.0"), false));
  expect(withNewest(had, page(at("9.0"), true))).toMatchObject({ hasMore: true, messages: [{ position: "9.0" }] });
});

test("a page of nothing new is not asked for again", () => {
  const had = withNewest(noThread, page(at("5.0"), true));
  const next = withOlderPage(had, page(at("5.0"), true));
  expect(next.hasMore).toBe(false);
  expect(next.messages).toBe(had.messages);
});

test("a failure keeps what was read, and the next page takes it away", () => {
  const failed = withFailure(withNewest(noThread, page(at("5.0"), true)), { message: "No.", hint: undefined });
  expect(failed).toMatchObject({ read: true, failure: { message: "No." } });
  expect(failed.messages).toHaveLength(1);
  expect(withOlderPage(failed, page(at("4.0"))).failure).toBeUndefined();
});

test("the whole form of a cut message takes its place in a thread too", () => {
  const had = withNewest(noThread, page([sampleMessage("1.0", { cut: true, text: "sho" })]));
  expect(withWholeOf(had, sampleMessage("1.0", { cut: true, text: "short" })).messages[0]).toMatchObject({ text: "short", cut: false });
});

const epochs = ["e0", "e1", "e2"].map((id) => ({ id, reason: "clear", started_at: "" }));
const current = sampleConversation(at("1.0"), { epoch: "e2", epochs });

test("the chain goes back as far as it was opened and read to its beginning", () => {
  expect(chain({ ...current, hasMore: true }, {})).toEqual([]);
  expect(chain(current, {}).map(({ previous }) => previous.id)).toEqual(["e1"]);
  const half = withNewest(noThread, page(at("1.0"), true));
  const whole = withNewest(noThread, page(at("1.0")));
  expect(chain(current, { e1: half }).map(({ previous }) => previous.id)).toEqual(["e1"]);
  expect(chain(current, { e1: whole }).map(({ previous }) => previous.id)).toEqual(["e1", "e0"]);
  expect(chain(current, { e1: whole, e0: whole })).toHaveLength(2);
});

test("a run that came back to an epoch shows it once, and an unnamed epoch is the newest", () => {
  const back = [epochs[0], epochs[1], epochs[0]].flatMap((one) => one ?? []);
  const whole = withNewest(noThread, page(at("1.0")));
  expect(chain({ ...current, epoch: "e0", epochs: back }, { e1: whole }).map(({ previous }) => previous.id)).toEqual(["e1"]);
  expect(chain({ ...current, epoch: "e9" }, {}).map(({ previous, began }) => [previous.id, began])).toEqual([["e2", undefined]]);
  expect(chain(sampleConversation([]), {})).toEqual([]);
});

test("more is read at the very top, and not again by itself after a failure", () => {
  expect(topOf({ ...current, hasMore: true }, {})).toEqual({ epoch: undefined, hasMore: true, oldest: "1.0" });
  const half = withNewest(noThread, page(at("7.0"), true));
  expect(topOf(current, { e1: half })).toEqual({ epoch: "e1", hasMore: true, oldest: "e1/7.0" });
  expect(topOf(current, { e1: withFailure(half, { message: "", hint: undefined }) }).hasMore).toBe(false);
});

test("threads of one run are found by their epochs", () => {
  const threads = { [threadKey.epoch("r1", "e1")]: noThread, [threadKey.epoch("r2", "e2")]: noThread, [threadKey.agent("r1", "a1")]: noThread };
  expect(Object.keys(epochsOf(threads, "r1"))).toEqual(["e1"]);
});
