import { expect, test } from "vitest";
import { sampleAsked, sampleConversation, sampleMessage, sampleReceipt, sampleTool } from "../test/samples.ts";
import { answerKey, blank, doneAnswers, isAnswered, keptDialogs, leftover, missing, noPick, picksOf, readDrafts, shapeOf, spoken, toAnswer, withPick } from "./answers.ts";

const asked = sampleAsked();
const key = answerKey("r1", asked.id);
const chosen = (selected: number[], words = "", own = words !== "") => ({ selected, words, own });
const draft = (change: object = {}) => ({ ...blank("r1", asked, 1000), ...change });
const sent = (answers = [{ selected: [1] }, { selected: [0] }]) => ({ clientId: "c1", answers, said: ["Blue", "Ham"] });

test("a question is answered by a choice, or by words that are chosen", () => {
  expect(missing(picksOf(asked, undefined))).toEqual([0, 1]);
  expect([chosen([1]), chosen([], "mine"), chosen([], "mine", false), chosen([], "  ")].map(isAnswered)).toEqual([true, true, false, false]);
  const one = withPick("r1", asked, undefined, 0, chosen([1]), 5);
  expect(missing(picksOf(asked, one))).toEqual([1]);
  expect(withPick("r1", asked, one, 1, chosen([0, 2]), 6).picks).toEqual([chosen([1]), chosen([0, 2])]);
});

test("what is sent is what is chosen: words only when they are", () => {
  expect(toAnswer(chosen([1], "kept back", false))).toEqual({ selected: [1] });
  expect(toAnswer(chosen([0, 2], " and more "))).toEqual({ selected: [0, 2], other_text: "and more" });
  const [, toppings] = asked.questions;
  if (!toppings) throw new Error("no question");
  expect(spoken("question", toppings, { selected: [0, 1], other_text: "rocket" })).toBe("Ham, Olives, rocket");
  expect(spoken("plan", toppings, { selected: [1], other_text: "smaller" })).toBe("Olives: smaller");
});

test("a kept draft is made to fit: places that are not there, twice the same, two where one is allowed", () => {
  const odd = draft({ picks: [chosen([7, 1, 2]), chosen([2, 0, 0, -1, 0.5], "words")] });
  expect(picksOf(asked, odd)).toEqual([chosen([1]), chosen([0, 2], "words")]);
  expect(picksOf(asked, draft({ picks: [chosen([1], "own words")] }))).toEqual([chosen([], "own words"), noPick]);
});

test("a draft of another dialog under the same id is not taken", () => {
  const other = draft({ shape: shapeOf({ ...asked, body: "else" }), picks: [chosen([1]), chosen([1])] });
  expect(picksOf(asked, other)).toEqual([noPick, noPick]);
});

test("broken and old drafts are left out, one by one", () => {
  const now = 10 * 24 * 3_600_000;
  const good = draft({ at: now - 1000 });
  expect(readDrafts({ good, old: draft({ at: 0 }), broken: { run: 1 }, nothing: null }, now)).toEqual({ good });
});

test("words that were not handed over are left over", () => {
  expect(leftover(draft({ picks: [chosen([], "a", false), chosen([0], "b")] }))).toBe("a\nb");
  expect(leftover(draft({ picks: [chosen([], "a"), noPick], sent: sent([{ selected: [], other_text: "a" } as never, { selected: [0] }]) }))).toBe("");
});

test("a draft goes when its dialog has an outcome; words that were written stay", () => {
  const outcome = { accepted: true, discussed: false, answers: [] };
  const over = sampleConversation([sampleMessage("1.0", { kind: "dialog", dialog: { ...asked, outcome } })]);
  const open = sampleConversation([sampleMessage("1.0", { kind: "dialog", dialog: asked })], { pendingDialogs: [asked] });
  const half = draft({ picks: [chosen([1]), noPick] });
  expect(doneAnswers(open, { [key]: half }, "r1")).toEqual([]);
  expect(doneAnswers(over, { [key]: half }, "r1")).toEqual([key]);
  expect(doneAnswers(over, { [key]: half }, "r2")).toEqual([]);
  expect(doneAnswers(over, { [key]: draft({ picks: [chosen([], "precious"), noPick] }) }, "r1")).toEqual([]);
  // What was chosen here is said at the outcome.
  expect(doneAnswers(over, { [key]: draft({ sent: sent() }) }, "r1")).toEqual([]);
});

test("an approval that was handed over is shown until the call shows what came of it", () => {
  const approval = { ...sampleAsked(), id: "c5.0", kind: "approval" as const };
  const mine = { [answerKey("r1", "c5.0")]: { ...blank("r1", approval, 1), sent: sent() } };
  const at = (status: "typed" | "recorded" | "failed", toolStatus: "running" | "ok") =>
    sampleConversation([sampleTool("5.0", { status: toolStatus })], { receipts: { x1: sampleReceipt({ kind: "answer", status, client_id: "c1" }) } });
  expect(keptDialogs(at("typed", "running"), mine, {}, "r1")).toEqual([approval]);
  expect(doneAnswers(at("typed", "running"), mine, "r1")).toEqual([]);
  expect(keptDialogs(at("recorded", "ok"), mine, {}, "r1")).toEqual([]);
  expect(doneAnswers(at("recorded", "ok"), mine, "r1")).toHaveLength(1);
  expect(keptDialogs(at("failed", "ok"), mine, {}, "r1")).toEqual([approval]);
  // While it waits it has its place already, and another run's is not shown.
  expect(keptDialogs({ ...at("typed", "running"), pendingDialogs: [approval] }, mine, {}, "r1")).toEqual([]);
  expect(keptDialogs(at("typed", "running"), mine, {}, "r2")).toEqual([]);
});
