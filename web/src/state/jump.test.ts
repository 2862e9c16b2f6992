import { expect, test } from "vitest";
import { sampleConversation, sampleMessage, sampleTool } from "../test/samples.ts";
import { rowOf, stepTo } from "./jump.ts";
import { readRoute, toAudit, toMessage } from "./route.ts";
import { buildRows, plainView } from "./rows.ts";
import { noThread, type Thread } from "./thread.ts";

const epochs = ["e0", "e1", "e2"].map((id) => ({ id, reason: "clear", started_at: "2026-01-01T10:00:00Z" }));
const now = (hasMore = false) => sampleConversation([sampleMessage("5.0"), sampleMessage("6.0")], { epoch: "e2", epochs, hasMore });
const read = (positions: string[], hasMore = false): Thread => ({ ...noThread, messages: positions.map((position) => sampleMessage(position)), hasMore, read: true });
const to = (epoch: string, position: string) => ({ epoch, position });

test("in the current conversation: here, further up, or nowhere", () => {
  expect(stepTo(now(), {}, to("e2", "6.0"))).toEqual({ do: "here" });
  expect(stepTo(now(true), {}, to("e2", "1.0"))).toEqual({ do: "older" });
  expect(stepTo(now(), {}, to("e2", "1.0"))).toEqual({ do: "missing" });
  // What is behind the first one that is loaded is not further up.
  expect(stepTo(now(true), {}, to("e2", "5.5"))).toEqual({ do: "missing" });
});

test("an earlier conversation is reached through those behind it", () => {
  expect(stepTo(now(true), {}, to("e0", "1.0"))).toEqual({ do: "older" });
  expect(stepTo(now(), {}, to("e0", "1.0"))).toEqual({ do: "open", epoch: "e1" });
  expect(stepTo(now(), { e1: read(["3.0"], true) }, to("e0", "1.0"))).toEqual({ do: "epoch", epoch: "e1" });
  expect(stepTo(now(), { e1: read(["3.0"]) }, to("e0", "1.0"))).toEqual({ do: "open", epoch: "e0" });
  expect(stepTo(now(), { e1: read(["3.0"]), e0: read(["1.0"]) }, to("e0", "1.0"))).toEqual({ do: "here" });
  expect(stepTo(now(), { e1: read(["3.0"]) }, to("e1", "9.0"))).toEqual({ do: "missing" });
});

test("what is gone, or of no epoch of this run, is not looked for without an end", () => {
  expect(stepTo(now(), {}, to("elsewhere", "1.0"))).toEqual({ do: "missing" });
  expect(stepTo(now(), { e1: { ...noThread, failure: { message: "Gone.", hint: undefined } } }, to("e0", "1.0"))).toEqual({ do: "missing" });
});

test("the row is that of the message, of the group that the call is in, or the fold to open", () => {
  const messages = [sampleMessage("1.0", { role: "user" }), sampleTool("2.0"), sampleTool("3.0"), sampleMessage("4.0", { abandoned: true }), sampleMessage("5.0")];
  const rows = buildRows(sampleConversation(messages), []);
  expect(rowOf(rows, to("e1", "1.0"))).toEqual({ row: "1.0" });
  expect(rowOf(rows, to("e1", "3.0"))).toEqual({ row: "2.0" });
  expect(rowOf(rows, to("e1", "4.0"))).toEqual({ fold: "fold:4.0" });
  expect(rowOf(rows, to("e9", "1.0"))).toEqual({});
  const earlier = { e1: read(["1.0"]), e0: read(["1.0"]) };
  expect(rowOf(buildRows(now(), [], [], { ...plainView, earlier }), to("e0", "1.0"))).toEqual({ row: "e0/1.0" });
});

test("addresses name a run's audit, and a message of any of its conversations", () => {
  const plain = { at: "run", id: "r/1", audit: false, message: undefined };
  expect(readRoute("#/runs/r%2F1")).toEqual(plain);
  expect(readRoute(toAudit("r/1"))).toEqual({ ...plain, audit: true });
  expect(readRoute(toMessage("r/1", to("a b/c", "12.3")))).toEqual({ ...plain, message: to("a b/c", "12.3") });
  expect(readRoute("#/runs/r%2F1/at/e1/nowhere")).toEqual(plain);
});
