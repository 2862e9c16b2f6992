import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import { sampleMessage } from "../test/samples.ts";
import { initialState, useApp } from "./store.ts";
import { threadKey } from "./thread.ts";
import { closeEpochs, olderOfEpoch, olderOfSubagent, readEpoch, readSubagent, readWholeOf, readWholeOfSubagent } from "./threads.ts";

const api = vi.hoisted(() => ({ earlier: vi.fn(), subagent: vi.fn(), whole: vi.fn(), wholeOfSubagent: vi.fn() }));
vi.mock("../api/client.ts", () => ({ client: api }));

const page = (position: string, has_more = false) => ({ epoch: "", messages: [sampleMessage(position)], has_more, transcript: "available" });
const thread = (key: string) => useApp.getState().threads[key];
const epoch = threadKey.epoch("r1", "e0");
const agent = threadKey.agent("r1", "a1");

beforeEach(() => {
  for (const call of Object.values(api)) call.mockReset();
  useApp.setState({ ...initialState, session: "in" });
});

test("an earlier epoch is read by pages, each asked for once", async () => {
  api.earlier.mockResolvedValueOnce(page("9.0", true)).mockResolvedValueOnce(page("5.0"));
  await Promise.all([readEpoch("r1", "e0"), readEpoch("r1", "e0")]);
  expect(api.earlier).toHaveBeenCalledExactlyOnceWith("r1", "e0");
  await olderOfEpoch("r1", "e0");
  expect(api.earlier).toHaveBeenLastCalledWith("r1", "e0", "9.0");
  expect(thread(epoch)).toMatchObject({ read: true, busy: "", hasMore: false, messages: [{ position: "5.0" }, { position: "9.0" }] });
  await olderOfEpoch("r1", "e0");
  expect(api.earlier).toHaveBeenCalledTimes(2);
});

test("a cut body of a subagent is read whole into its thread", async () => {
  api.subagent.mockResolvedValueOnce({ ...page("9.0"), messages: [sampleMessage("9.0", { cut: true })] });
  api.wholeOfSubagent.mockResolvedValueOnce(sampleMessage("9.0", { text: "all of it" }));
  await readSubagent("r1", "a1");
  await readWholeOfSubagent("r1", "a1", "9.0");
  expect(api.wholeOfSubagent).toHaveBeenCalledExactlyOnceWith("r1", "a1", "9.0");
  expect(thread(agent)?.messages).toMatchObject([{ position: "9.0", text: "all of it", cut: false }]);
});

test("what was closed while it was on its way stays closed", async () => {
  let arrive = (_: unknown) => {};
  api.earlier.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const reading = readEpoch("r1", "e0");
  closeEpochs("r1", ["e0"]);
  arrive(page("1.0"));
  await reading;
  expect(thread(epoch)).toBeUndefined();
});

test("a subagent that can't be read says why and what next, and keeps what was there", async () => {
  api.subagent.mockResolvedValueOnce(page("9.0", true)).mockRejectedValue(new ApiError("Not now.", 500, { hint: "Later." }));
  await readSubagent("r1", "a1");
  await readSubagent("r1", "a1");
  expect(thread(agent)).toMatchObject({ read: true, failure: { message: "Not now.", hint: "Later." }, messages: [{ position: "9.0" }] });
  api.subagent.mockResolvedValue(page("3.0"));
  await olderOfSubagent("r1", "a1");
  expect(api.subagent).toHaveBeenLastCalledWith("r1", "a1", "9.0");
  expect(thread(agent)?.failure).toBeUndefined();
});

test("a session that is over ends everywhere", async () => {
  api.subagent.mockRejectedValue(new ApiError("Sign in first.", 401));
  await readSubagent("r1", "a1");
  expect(useApp.getState()).toMatchObject({ session: "out", threads: {} });
});

test("a cut body of an earlier epoch is read from that epoch", async () => {
  api.earlier.mockResolvedValue(page("9.0"));
  await readEpoch("r1", "e0");
  api.whole.mockResolvedValue(sampleMessage("9.0", { text: "all of it" }));
  await readWholeOf("r1", "e0", "9.0");
  expect(api.whole).toHaveBeenCalledExactlyOnceWith("r1", "9.0", "e0");
  expect(thread(epoch)?.messages[0]?.text).toBe("all of it");
});
