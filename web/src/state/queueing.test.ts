import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import type { QueuedReply } from "../api/schema.ts";
import { sampleConversation, sampleHeld, sampleReceipt } from "../test/samples.ts";
import { usePrefs } from "./prefs.ts";
import { dropEdit, move, remove, saveEdit, sendHeld, startEdit, typeEdit, undo } from "./queueing.ts";
import { initialState, useApp } from "./store.ts";

const api = vi.hoisted(() => ({ editHeld: vi.fn(), cancelHeld: vi.fn(), reply: vi.fn() }));
vi.mock("../api/client.ts", () => ({ client: api }));

const line = ["a", "b", "c"].map((id) => sampleHeld({ id, text: `text ${id}` }));
const [a, b] = line as [QueuedReply, QueuedReply, QueuedReply];
const sent = { "c-b": { run: "r1", text: "text b", at: 1 } };
const now = () => useApp.getState().queueing["r1"];
const refuse = (call: typeof api.editHeld, status: number, code: string) => call.mockRejectedValueOnce(new ApiError("Why not.", status, { code }));
const receipt = (id: string, change = {}) => sampleReceipt({ id, status: "queued", ...change });

function hold(queued: QueuedReply[]) {
  const receipts = Object.fromEntries(queued.map(({ id }) => [id, receipt(id, id === "b" ? { client_id: "c-b" } : {})]));
  useApp.setState({ ...initialState, session: "in", conversations: { r1: sampleConversation([], { queued, receipts }) } });
}

beforeEach(() => {
  for (const call of Object.values(api)) call.mockReset();
  api.editHeld.mockImplementation(async (_: string, id: string) => receipt(id));
  api.cancelHeld.mockImplementation(async (_: string, id: string) => receipt(id, { status: "failed" }));
  usePrefs.setState({ sent });
  hold(line);
});

test("a change is sent as it was typed, once, and the editor closes when the server has it", async () => {
  startEdit("r1", a);
  typeEdit("r1", " other words \n");
  let done = () => {};
  api.editHeld.mockReturnValueOnce(new Promise((resolve) => (done = () => resolve(receipt("a")))));
  const saving = saveEdit("r1");
  void saveEdit("r1");
  expect(api.editHeld).toHaveBeenCalledExactlyOnceWith("r1", "a", { text: "other words" });
  expect(now()).toMatchObject({ busy: "a", editing: { text: " other words \n" } });
  done();
  await saving;
  expect(now()).toMatchObject({ busy: undefined, editing: undefined });
  // Nothing is shown before the server has said it.
  expect(useApp.getState().conversations["r1"]?.queued[0]?.text).toBe("text a");
});

test("no change and no words are not sent", async () => {
  startEdit("r1", a);
  await saveEdit("r1");
  expect(now()?.editing).toBeUndefined();
  startEdit("r1", a);
  typeEdit("r1", "  ");
  await saveEdit("r1");
  expect(now()?.editing?.text).toBe("  ");
  dropEdit("r1");
  expect([now()?.editing, api.editHeld.mock.calls.length]).toEqual([undefined, 0]);
});

test("a refused change keeps the words and says why", async () => {
  startEdit("r1", a);
  typeEdit("r1", "/model");
  refuse(api.editHeld, 409, "refused");
  await saveEdit("r1");
  expect(now()).toMatchObject({ editing: { text: "/model" }, problem: { id: "a", message: "Why not." } });
});

test("too late: it was just sent, and what was typed is not lost", async () => {
  startEdit("r1", a);
  typeEdit("r1", "better words");
  refuse(api.editHeld, 409, "already_sent");
  await saveEdit("r1");
  expect(now()).toMatchObject({ editing: undefined, note: { kind: "sent", words: "better words" } });
  expect(now()?.problem).toBeUndefined();
});

test("too late for another one leaves the open editor alone", async () => {
  startEdit("r1", a);
  typeEdit("r1", "half made");
  refuse(api.cancelHeld, 409, "already_sent");
  await remove("r1", b);
  expect(now()).toMatchObject({ editing: { id: "a", text: "half made" }, note: { kind: "sent", words: "" } });
});

test("moving names the entry before which it goes, and says where it is now", async () => {
  await move("r1", "c", -1);
  expect(api.editHeld).toHaveBeenLastCalledWith("r1", "c", { before: "b" });
  expect(now()?.said).toBe("Moved to place 2 of 3.");
  await move("r1", "a", 1);
  expect(api.editHeld).toHaveBeenLastCalledWith("r1", "a", { before: "c" });
  await move("r1", "c", 1);
  expect(api.editHeld).toHaveBeenCalledTimes(2);
});

test("over a draft it is sent once; the offer does not come again", async () => {
  await sendHeld("r1", sampleHeld({ id: "a", cause: "draft" }));
  expect(api.editHeld).toHaveBeenCalledExactlyOnceWith("r1", "a", { when: "now" });
  expect(now()?.forced).toEqual(["a"]);
});

test("what is taken out here is no failed message, and comes back to its place", async () => {
  await remove("r1", b);
  expect(usePrefs.getState().sent).toEqual({});
  expect(now()?.note).toMatchObject({ kind: "removed", entry: { id: "b" }, next: "c" });
  api.reply.mockImplementation(async (_run: string, _text: string, client_id: string) => sampleReceipt({ id: "again", client_id }));
  await undo("r1");
  expect(api.reply).toHaveBeenCalledExactlyOnceWith("r1", "text b", expect.stringMatching(/^b-[0-9a-f]{8}\./), "now");
  expect(api.editHeld).toHaveBeenLastCalledWith("r1", "again", { before: "c" });
  expect(now()?.note).toBeUndefined();
});

test("a removal that fails puts our text back", async () => {
  refuse(api.cancelHeld, 0, "unreachable");
  await remove("r1", b);
  expect(usePrefs.getState().sent).toEqual(sent);
  expect(now()).toMatchObject({ problem: { id: "b" } });
  expect(now()?.note).toBeUndefined();
});

test("one that waited for a decision is not sent by taking its removal back", async () => {
  hold([sampleHeld({ id: "a", cause: "doubt" })]);
  await remove("r1", sampleHeld({ id: "a", cause: "doubt" }));
  await undo("r1");
  expect(api.reply).not.toHaveBeenCalled();
});

test("an undo that fails keeps the words", async () => {
  await remove("r1", a);
  refuse(api.reply, 0, "unreachable");
  await undo("r1");
  expect(now()).toMatchObject({ note: { kind: "removed", entry: { text: "text a" } }, problem: { id: "a", message: "Why not." } });
});
