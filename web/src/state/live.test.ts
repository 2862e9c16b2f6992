import { beforeEach, expect, test, vi } from "vitest";
import type { StreamOptions } from "../api/stream.ts";
import { sampleMessage, sampleReceipt, sampleRun, sampleSnapshot } from "../test/samples.ts";
import { usePrefs } from "./prefs.ts";
import { initialState, useApp } from "./store.ts";

const api = vi.hoisted(() => ({
  signIn: vi.fn(), providers: vi.fn(), runs: vi.fn(), startRun: vi.fn(), stop: vi.fn(), snapshot: vi.fn(), older: vi.fn(), whole: vi.fn(),
  reply: vi.fn(), answer: vi.fn(), interrupt: vi.fn(), attach: vi.fn(),
}));
const streams = vi.hoisted(() => [] as { options: StreamOptions; stopped: boolean }[]);
vi.mock("../api/client.ts", () => ({ client: api }));
vi.mock("../api/stream.ts", () => ({
  follow: (options: StreamOptions) => {
    const stream = { options, stopped: false };
    streams.push(stream);
    return () => {
      stream.stopped = true;
    };
  },
}));

// Each test has the module to itself: it keeps the open run and the stream.
async function fresh() {
  vi.resetModules();
  const live = await import("./live.ts");
  const { ApiError } = await import("../api/http.ts");
  const store = await import("./store.ts");
  const prefs = await import("./prefs.ts");
  store.useApp.setState({ ...initialState, session: "unknown" });
  const problem = (words: string, status: number) => new ApiError(words, status);
  return { ...live, problem, state: () => store.useApp.getState(), prefs: () => prefs.usePrefs.getState() };
}
const say = (name: string, data: unknown) => streams.at(-1)?.options.onEvent(name, JSON.stringify(data));
const message = (position: string, revision = 1) => ({ position, kind: "text", role: "assistant", text: "t", revision });

beforeEach(() => {
  streams.length = 0;
  for (const call of Object.values(api)) call.mockReset();
  api.providers.mockResolvedValue([]);
  api.runs.mockResolvedValue([sampleRun()]);
  api.snapshot.mockResolvedValue(sampleSnapshot([sampleMessage("1.0")], { cursor: "c1" }));
  history.replaceState(null, "", "/");
  usePrefs.setState({ sent: {}, drafts: {} });
  useApp.setState(initialState);
});

test("the link's token is exchanged and leaves the address bar first", async () => {
  history.replaceState(null, "", "/#token=secret&run=r1");
  api.signIn.mockImplementation(async () => expect(location.hash).toBe("#/runs/r1"));
  const { start, state } = await fresh();
  await start();
  expect(api.signIn).toHaveBeenCalledExactlyOnceWith("secret");
  expect(state().session).toBe("in");
});

test("a refused token, or no session, leads to sign in", async () => {
  history.replaceState(null, "", "/#token=wrong");
  const one = await fresh();
  api.signIn.mockRejectedValue(one.problem("no", 401));
  await one.start();
  expect(one.state().session).toBe("out");
  const two = await fresh();
  api.runs.mockRejectedValue(two.problem("no", 401));
  await two.start();
  expect(two.state().session).toBe("out");
  expect(streams.at(-1)?.stopped).toBe(true);
});

test("opening a run reads its snapshot, then follows from the snapshot's cursor", async () => {
  const { start, open, state } = await fresh();
  await start();
  expect(streams[0]?.options.run).toBeUndefined();
  await open("r1");
  expect(streams[0]?.stopped).toBe(true);
  expect(streams[1]?.options).toMatchObject({ run: "r1", cursor: "c1" });
  say("message.upsert", { run_id: "r1", epoch: "e1", message: message("2.0") });
  await vi.waitFor(() => expect(state().conversations["r1"]?.messages).toHaveLength(2));
});

test("resync and a new epoch read the snapshot again; a stranger's resync does not", async () => {
  const { start, open, state } = await fresh();
  await start();
  await open("r1");
  api.runs.mockClear();
  say("resync", { run: "other" });
  expect(api.snapshot).toHaveBeenCalledTimes(1);
  say("resync", { run: "r1" });
  expect(api.snapshot).toHaveBeenCalledTimes(2);
  // Only the conversation: the list is not in doubt.
  expect(api.runs).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(streams).toHaveLength(3));
  say("resync", {});
  expect(api.runs).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(streams).toHaveLength(4));
  api.snapshot.mockResolvedValue(sampleSnapshot([], { epoch: "e2", cursor: "c2" }));
  say("epoch.changed", { run_id: "r1", epoch: "e2" });
  await vi.waitFor(() => expect(state().conversations["r1"]?.epoch).toBe("e2"));
  expect(streams.at(-1)?.options.cursor).toBe("c2");
});

test("leaving a run while its snapshot is on its way opens nothing", async () => {
  const { start, open, state } = await fresh();
  await start();
  let arrive = (_: unknown) => {};
  api.snapshot.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const opened = open("r1");
  await open(undefined);
  arrive(sampleSnapshot([]));
  await opened;
  expect(state().conversations).toEqual({});
  expect(streams).toHaveLength(1);
});

test("a conversation that could not be read is read when the server is back", async () => {
  const { start, open, state, problem } = await fresh();
  await start();
  api.snapshot.mockRejectedValueOnce(problem("The server cannot be reached.", 0));
  await open("r1");
  expect(state().failures["r1"]).toBe("The server cannot be reached.");
  streams.at(-1)?.options.onStatus("live");
  await vi.waitFor(() => expect(state().conversations["r1"]).toBeDefined());
  expect(state().failures).toEqual({});
});

test("a reply is remembered until its message is there", async () => {
  const { start, open, reply, prefs, state } = await fresh();
  await start();
  await open("r1");
  api.reply.mockResolvedValue(sampleReceipt());
  await reply("r1", "hello", "c-1");
  expect(prefs().sent["c-1"]).toMatchObject({ run: "r1", text: "hello" });
  expect(state().conversations["r1"]?.receipts["x1"]?.client_id).toBe("c-1");
  say("receipt", { run_id: "r1", receipt: sampleReceipt({ status: "recorded", position: "5.0", client_id: "c-1" }) });
  await new Promise((done) => setTimeout(done, 150));
  expect(prefs().sent["c-1"]).toBeDefined();
  say("message.upsert", { run_id: "r1", epoch: "e1", message: message("5.0") });
  await vi.waitFor(() => expect(prefs().sent).toEqual({}));
});

test("a refused reply is not remembered, and its words reach the page", async () => {
  const { start, reply, prefs, problem } = await fresh();
  await start();
  api.reply.mockRejectedValue(problem("Too long.", 422));
  await expect(reply("r1", "hello", "c-1")).rejects.toThrow("Too long.");
  expect(prefs().sent).toEqual({});
});

test("older pages are asked for once at a time", async () => {
  const { start, open, readOlder, state } = await fresh();
  await start();
  api.snapshot.mockResolvedValue(sampleSnapshot([sampleMessage("9.0")], { has_more: true }));
  await open("r1");
  api.older.mockResolvedValue(sampleSnapshot([sampleMessage("1.0")]));
  await Promise.all([readOlder("r1"), readOlder("r1")]);
  expect(api.older).toHaveBeenCalledExactlyOnceWith("r1", "e1", "9.0");
  expect(state().conversations["r1"]?.messages).toHaveLength(2);
  await readOlder("r1");
  expect(api.older).toHaveBeenCalledOnce();
});

test("a run that changes while the list is on its way keeps its change", async () => {
  let arrive = (_: unknown) => {};
  const { start, state } = await fresh();
  await start();
  api.runs.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  streams.at(-1)?.options.onFresh?.();
  say("run.changed", { run: sampleRun({ state: "ended" }) });
  await vi.waitFor(() => expect(state().runs?.["r1"]?.state).toBe("ended"));
  arrive([sampleRun({ state: "working" })]);
  await new Promise((done) => setTimeout(done, 20));
  expect(state().runs?.["r1"]?.state).toBe("ended");
});
