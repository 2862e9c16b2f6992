import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import { sampleAsked, sampleConversation, sampleReceipt } from "../test/samples.ts";
import { answerKey, leftover } from "./answers.ts";
import { dismissAnswer, pick, sendAnswer, sendTalk, talk } from "./answering.ts";
import { usePrefs } from "./prefs.ts";
import { initialState, useApp } from "./store.ts";

const api = vi.hoisted(() => ({ answer: vi.fn(), discuss: vi.fn() }));
vi.mock("../api/client.ts", () => ({ client: api }));

const asked = sampleAsked();
const key = answerKey("r1", "d1");
const answers = [{ selected: [1] }, { selected: [], other_text: "rocket" }];
const typed = sampleReceipt({ kind: "answer", status: "typed", door: "live" });
const act = (one = key) => useApp.getState().answering[one];
const pending = () => useApp.getState().conversations["r1"]?.pendingDialogs.map(({ id }) => id);
const refuse = (status: number, code: string, more: object = {}) => api.answer.mockRejectedValueOnce(new ApiError("Why not.", status, { code, ...more }));

beforeEach(() => {
  api.answer.mockReset();
  api.discuss.mockReset();
  usePrefs.setState({ answers: {} });
  useApp.setState({ ...initialState, session: "in", conversations: { r1: sampleConversation([], { pendingDialogs: [asked], watched: ["d1"] }) } });
  pick("r1", asked, 0, { selected: [1], words: "", own: false });
  pick("r1", asked, 1, { selected: [], words: "rocket", own: true });
});

test("an answer is sent once, and its receipt finds its card", async () => {
  let arrive = (_: unknown) => {};
  api.answer.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const first = sendAnswer("r1", asked, answers);
  void sendAnswer("r1", asked, answers);
  expect(api.answer).toHaveBeenCalledExactlyOnceWith("r1", "d1", answers, expect.any(String));
  expect(act()?.busy).toBe(true);
  // Nothing is said before the server has said it.
  expect(useApp.getState().conversations["r1"]?.receipts).toEqual({});
  arrive(typed);
  await first;
  const clientId = usePrefs.getState().answers[key]?.sent?.clientId;
  expect(useApp.getState().conversations["r1"]?.receipts["x1"]).toMatchObject({ status: "typed", client_id: clientId });
  expect(usePrefs.getState().answers[key]?.sent?.said).toEqual(["Blue", "rocket"]);
});

test("the same answer tried again is the same one; another one is not, nor is one after a failure", async () => {
  refuse(0, "unreachable");
  await sendAnswer("r1", asked, answers);
  expect(act()).toEqual({ busy: false, problem: { message: "Why not.", hint: undefined }, note: undefined });
  api.answer.mockResolvedValue(typed);
  await sendAnswer("r1", asked, answers);
  await sendAnswer("r1", asked, [{ selected: [0] }, { selected: [0] }]);
  const ids = api.answer.mock.calls.map((call) => call[3] as string);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
  useApp.setState({ conversations: { r1: sampleConversation([], { receipts: { x1: { ...typed, status: "failed", client_id: ids[2] } } }) } });
  await sendAnswer("r1", asked, [{ selected: [0] }, { selected: [0] }]);
  expect(api.answer.mock.calls[3]?.[3]).not.toBe(ids[2]);
});

test("an answer that the server cannot read keeps everything", async () => {
  refuse(422, "invalid_answer");
  await sendAnswer("r1", asked, answers);
  expect(act()?.problem?.message).toBe("Why not.");
  expect(usePrefs.getState().answers[key]?.picks[1]?.words).toBe("rocket");
  expect(pending()).toEqual(["d1"]);
});

test("another dialog is open: it takes the place, says so, and has the words", async () => {
  const other = sampleAsked({ id: "d2", title: "Other", body: "else" });
  refuse(409, "dialog_changed", { dialog: other });
  await sendAnswer("r1", asked, answers);
  expect(pending()).toEqual(["d2"]);
  expect(act(answerKey("r1", "d2"))?.note).toEqual({ kind: "changed", words: "rocket" });
  expect(act()?.note?.kind).toBe("elsewhere");
  expect(usePrefs.getState().answers).toEqual({});
});

test("the same dialog under another id takes the choices along", async () => {
  refuse(409, "dialog_changed", { dialog: sampleAsked({ id: "d2" }) });
  await sendAnswer("r1", asked, answers);
  const moved = usePrefs.getState().answers[answerKey("r1", "d2")];
  expect(moved?.picks.map(({ selected, words }) => [selected, words])).toEqual([[[1], ""], [[], "rocket"]]);
  expect(moved?.sent).toBeUndefined();
  expect(act(answerKey("r1", "d2"))?.note?.kind).toBe("moved");
});

test("no dialog is open: it was answered elsewhere, and the words are not lost", async () => {
  refuse(409, "no_dialog");
  await sendAnswer("r1", asked, answers);
  expect(pending()).toEqual([]);
  expect(act()?.note?.kind).toBe("elsewhere");
  expect(usePrefs.getState().answers[key]?.sent).toBeUndefined();
  expect(usePrefs.getState().answers[key]?.picks[1]?.words).toBe("rocket");
  dismissAnswer("r1", "d1");
  expect([act(), usePrefs.getState().answers]).toEqual([undefined, {}]);
});

test("words instead of an answer are one thing however often they are tried, and something else than an answer", async () => {
  talk("r1", asked, { words: " why? ", open: true });
  api.discuss.mockRejectedValueOnce(new ApiError("Why not.", 0, { code: "unreachable" }));
  await sendTalk("r1", asked, " why? ");
  expect(act()?.problem?.message).toBe("Why not.");
  api.discuss.mockResolvedValue(typed);
  await sendTalk("r1", asked, "why?");
  await sendTalk("r1", asked, "");
  const calls = api.discuss.mock.calls as [string, string, string, string][];
  expect(calls.map(([run, dialog, words]) => [run, dialog, words])).toEqual([["r1", "d1", "why?"], ["r1", "d1", "why?"], ["r1", "d1", ""]]);
  expect(calls[0]?.[3]).toBe(calls[1]?.[3]);
  expect(calls[2]?.[3]).not.toBe(calls[1]?.[3]);
  // What was chosen before stays, in case the talk comes to nothing.
  expect(usePrefs.getState().answers[key]).toMatchObject({ talk: { words: " why? " }, picks: [{ selected: [1] }, { words: "rocket" }], sent: { talk: "" } });
  api.answer.mockResolvedValue(typed);
  await sendAnswer("r1", asked, answers);
  expect(api.answer.mock.calls[0]?.[3]).not.toBe(calls[2]?.[3]);
});

test("answered elsewhere meanwhile: the words are not lost, and choices do not undo them", async () => {
  talk("r1", asked, { words: "why?", open: true });
  pick("r1", asked, 1, { selected: [0], words: "", own: false });
  api.discuss.mockRejectedValueOnce(new ApiError("Why not.", 409, { code: "no_dialog" }));
  await sendTalk("r1", asked, "why?");
  expect(act()?.note?.kind).toBe("elsewhere");
  const draft = usePrefs.getState().answers[key];
  expect([draft?.sent, draft && leftover(draft)]).toEqual([undefined, "why?"]);
});
