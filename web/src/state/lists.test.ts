import { expect, test } from "vitest";
import { sampleConversation, sampleRun, sampleMessage } from "../test/samples.ts";
import { readSaved } from "./prefs.ts";
import { readRoute, readToken, toRun } from "./route.ts";
import { groups, mergeRuns } from "./runs.ts";
import { applyChanges, initialState } from "./store.ts";

test("runs are grouped by urgency: questions before turns, new before old", () => {
  const runs = [
    sampleRun({ id: "old", state: "needs_input", last_activity_at: "2026-01-01T08:00:00Z" }),
    sampleRun({ id: "new", state: "needs_input", last_activity_at: "2026-01-01T09:00:00Z" }),
    sampleRun({ id: "asks", state: "question", last_activity_at: "2026-01-01T01:00:00Z" }),
    sampleRun({ id: "works", state: "working" }),
    sampleRun({ id: "gone", state: "ended" }),
    sampleRun({ id: "odd", state: "unknown" }),
  ];
  expect(groups(runs, "").map(({ name, runs: own }) => [name, own.map(({ id }) => id)])).toEqual([
    ["waiting", ["asks", "new", "old"]],
    ["working", ["works"]],
    ["idle", ["odd"]],
    ["ended", ["gone"]],
  ]);
});

test("the filter wants every word, anywhere, in any case", () => {
  const run = sampleRun({ title: "Port the Parser", branch: "nom8", last_line: "212 of 340" });
  expect(groups([run], "parser NOM8")).toHaveLength(1);
  expect(groups([run], "shop 340")).toHaveLength(1);
  expect(groups([run], "parser lexer")).toHaveLength(0);
});

test("a list that was on its way does not undo what the stream told meanwhile", () => {
  const had = { a: sampleRun({ id: "a", state: "ended" }), new: sampleRun({ id: "new" }), gone: sampleRun({ id: "gone" }) };
  const listed = [sampleRun({ id: "a", state: "working" }), sampleRun({ id: "removed" }), sampleRun({ id: "b" })];
  const merged = mergeRuns(had, listed, new Set(["a", "new", "removed"]));
  expect(Object.keys(merged).toSorted()).toEqual(["a", "b", "new"]);
  expect(merged["a"]?.state).toBe("ended");
});

test("many changes are one write, and only of what changed", () => {
  const state = { ...initialState, runs: { r1: sampleRun() }, conversations: { r1: sampleConversation([]) } };
  const next = applyChanges(state, [
    { name: "message.upsert", run_id: "r1", epoch: "e1", message: sampleMessage("1.0") },
    { name: "message.upsert", run_id: "r1", epoch: "e1", message: sampleMessage("2.0") },
    { name: "message.upsert", run_id: "unknown", epoch: "e1", message: sampleMessage("2.0") },
  ]);
  expect(next.conversations?.["r1"]?.messages).toHaveLength(2);
  expect(next).not.toHaveProperty("runs");
  expect(applyChanges(state, [{ name: "run.removed", id: "r1" }]).runs).toEqual({});
});

test("routes are read from the fragment, and written back the same", () => {
  expect(readRoute("")).toEqual({ at: "list" });
  expect(readRoute("#/new")).toEqual({ at: "new" });
  expect(readRoute(toRun("a/b c"))).toMatchObject({ at: "run", id: "a/b c" });
  expect(readRoute("#/runs/%E0%A4%A")).toEqual({ at: "list" });
  expect(readRoute("#token=x")).toEqual({ at: "list" });
});

test.each([
  ["#token=abc", "abc", ""],
  ["#token=a%2Bb&run=r1", "a+b", "#/runs/r1"],
  ["#/runs/r1?token=abc", "abc", "#/runs/r1"],
  ["#/runs/r1&token=abc", "abc", "#/runs/r1"],
])("the token is taken out of %s", (hash, token, rest) => {
  expect(readToken(hash)).toEqual({ token, rest });
});

test.each(["", "#", "#/", "#token=", "#/runs/token", "#/runs/r1"])("there is no token in %s", (hash) => {
  expect(readToken(hash)).toBeNull();
});

test("what the browser kept is read with care", () => {
  expect(readSaved(null)).toEqual({ theme: "system", drafts: {}, sent: {}, answers: {}, lastFolder: "", showHidden: false });
  expect(readSaved({ theme: "neon", drafts: { r1: 7 }, sent: "x", lastFolder: "/w" })).toEqual({ theme: "system", drafts: {}, sent: {}, answers: {}, lastFolder: "/w", showHidden: false });
  const now = 10 * 24 * 3_600_000;
  const sent = { old: { run: "r", text: "t", at: 0 }, young: { run: "r", text: "t", at: now - 1 } };
  expect(readSaved({ theme: "dark", drafts: { r1: "d" }, sent }, now)).toMatchObject({ theme: "dark", drafts: { r1: "d" }, sent: { young: {} } });
  expect(Object.keys(readSaved({ sent }, now).sent)).toEqual(["young"]);
});
