import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import type { Message, ThreadPage } from "../api/schema.ts";
import { HiddenToggle } from "../desk/hidden-toggle.tsx";
import { usePrefs } from "../state/prefs.ts";
import { buildRows, plainView, type View } from "../state/rows.ts";
import { initialState, useApp } from "../state/store.ts";
import { noThread } from "../state/thread.ts";
import { sampleConversation, sampleMessage, sampleRun, sampleTool } from "../test/samples.ts";
import { sampleShared } from "../test/shared.ts";
import { followTheme, papers } from "../ui/theme.ts";
import { paced } from "./paced.ts";
import { RowView } from "./row.tsx";

const api = vi.hoisted(() => ({ subagent: vi.fn() }));
vi.mock("../api/client.ts", () => ({ client: api }));

const page = (messages: Message[], change: Partial<ThreadPage> = {}): ThreadPage => ({ epoch: "", messages, has_more: false, transcript: "available", ...change });
const call = (position: string, agent: string | undefined, change: Parameters<typeof sampleTool>[1] = {}) =>
  sampleTool(position, { call_id: `${position}-${agent}`, title: `Task ${agent}`, view: { type: "subagent", description: `Do ${agent}`, agent }, ...change });

function draw(messages: Message[], view: Partial<View> = {}, change = {}) {
  const shared = sampleShared(change);
  const rows = buildRows(sampleConversation(messages, { hasMore: true }), [], [], { ...plainView, ...view });
  return render(rows.map((row) => <RowView key={row.key} row={row} shared={shared} />));
}
const set = (state: Parameters<typeof sampleRun>[0]) => act(() => useApp.setState({ runs: { r1: sampleRun(state) } }));

beforeEach(() => {
  api.subagent.mockReset();
  useApp.setState({ ...initialState, session: "in", runs: { r1: sampleRun() } });
  usePrefs.setState({ showHidden: false, theme: "system" });
});

test("a knot says why in plain words, and opens what was before it", async () => {
  const onEarlier = vi.fn();
  const epochs = ["e0", "e1"].map((id) => ({ id, reason: "fork", started_at: "" }));
  const conversation = sampleConversation([sampleMessage("1.0")], { epochs });
  const draws = (view: Partial<View>) => {
    const row = buildRows(conversation, [], [], { ...plainView, ...view }).find(({ type }) => type === "knot");
    if (!row) throw new Error("no knot");
    return render(<RowView row={row} shared={sampleShared({ onEarlier })} />);
  };
  const closed = draws({});
  expect(screen.getByText("The conversation was forked here")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show the earlier conversation", expanded: false }));
  expect(onEarlier).toHaveBeenLastCalledWith("e0", true);
  closed.unmount();
  const opened = draws({ earlier: { e0: { ...noThread, read: true } } });
  await userEvent.click(screen.getByRole("button", { name: "Hide the earlier conversation", expanded: true }));
  expect(onEarlier).toHaveBeenLastCalledWith("e0", false);
  opened.unmount();
  draws({ earlier: { e0: { ...noThread, failure: { message: "The file is gone.", hint: "Look in the backup." } } } });
  expect(screen.getByRole("alert").textContent).toContain("The file is gone.Look in the backup.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onEarlier).toHaveBeenLastCalledWith("e0", true);
});

test("a fold says how much was left, and what it opens is dimmed", async () => {
  const onFold = vi.fn();
  const { container } = draw([sampleMessage("1.0", { abandoned: true })], { folds: new Set(["fold:1.0"]) }, { onFold });
  await userEvent.click(screen.getByRole("button", { name: "1 message on a branch that was left", expanded: true }));
  expect(onFold).toHaveBeenCalledExactlyOnceWith("fold:1.0");
  expect(container.querySelector(".turn.left")?.textContent).toContain("text at 1.0");
});

test("hidden records show their word, and their detail when opened", async () => {
  const record = (position: string, event: "hidden" | "unknown", detail?: string) => sampleMessage(position, { kind: "lifecycle", text: undefined, lifecycle: { event, detail } });
  draw([record("1.0", "hidden", "<note>\nbe brief"), record("2.0", "unknown"), record("3.0", "hidden")], { hidden: true });
  expect(screen.getByText("kept as it is")).toBeTruthy();
  expect(screen.getByText("no detail")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "hidden <note> be brief" }));
  expect(screen.getByRole("group", { name: "Hidden record" }).textContent).toBe("<note>\nbe brief");
});

test("the toggle says how many hidden records are loaded, and remembers", async () => {
  const hidden = sampleMessage("1.0", { kind: "lifecycle", lifecycle: { event: "hidden", detail: undefined } });
  useApp.setState({ conversations: { r1: sampleConversation([hidden, sampleMessage("2.0"), sampleMessage("3.0", { kind: "unknown" })]) } });
  render(<HiddenToggle run="r1" />);
  await userEvent.click(screen.getByRole("checkbox", { name: "Show hidden records 2 loaded" }));
  expect(usePrefs.getState().showHidden).toBe(true);
  expect(localStorage.getItem("seamux")).toContain('"showHidden":true');
});

test("a subagent is read when its card opens, and its own subagent in it", async () => {
  api.subagent.mockImplementation(async (_: string, agent: string) =>
    agent === "a1" ? page([sampleMessage("1.0", { role: "user", text: "Do it." }), call("2.0", "a2"), sampleMessage("3.0", { text: "It is **done**." })]) : page([sampleMessage("1.0", { text: "Deep." })]),
  );
  draw([call("1.0", "a1", { output: "It is **done**." })]);
  expect(api.subagent).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: /Task a1/ }));
  const card = screen.getByRole("group", { name: "What the subagent did: Do a1" });
  expect(await within(card).findByText("Do it.")).toBeTruthy();
  expect(within(card).getByRole("heading", { name: "Task" })).toBeTruthy();
  // The result is its last word: said once.
  expect(screen.getAllByText("done")).toHaveLength(1);
  await userEvent.click(within(card).getByRole("button", { name: /Task a2/ }));
  expect(await within(card).findByText("Deep.")).toBeTruthy();
});

test("a card without a known record, without messages, or without a readable record says which", async () => {
  const read = vi.fn().mockResolvedValueOnce(page([])).mockResolvedValueOnce(page([])).mockResolvedValueOnce(page([], { transcript: "gone" }));
  api.subagent.mockImplementation(read);
  draw([call("1.0", undefined, { status: "running", title: "One" }), call("2.0", "b2", { status: "running" }), call("3.0", "b3"), call("4.0", "b4"), call("5.0", "b5", { output: "Its answer." })]);
  const open = (name: RegExp) => userEvent.click(screen.getByRole("button", { name }));
  await open(/One/);
  expect(screen.getByText("The agent has not said yet which record belongs to this subagent.")).toBeTruthy();
  await open(/b2/);
  expect(await screen.findByText("The subagent has not written anything yet.")).toBeTruthy();
  await open(/b3/);
  expect(await screen.findByText("The subagent left no messages.")).toBeTruthy();
  await open(/b4/);
  expect(await screen.findByText(/The record of this subagent cannot be found/)).toBeTruthy();
  read.mockRejectedValueOnce(new ApiError("The disk is away.", 500));
  await open(/b5/);
  expect((await screen.findByRole("alert")).textContent).toContain("The disk is away.The run goes on. Try again, or attach");
  expect(screen.getByText("Its answer.")).toBeTruthy();
  read.mockResolvedValueOnce(page([sampleMessage("1.0", { text: "There again." })]));
  await open(/Try again/);
  expect(await screen.findByText("There again.")).toBeTruthy();
});

test("an open card follows the run while it works, paced, and once more at its end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    api.subagent.mockResolvedValue(page([sampleMessage("1.0")]));
    useApp.setState({ runs: { r1: sampleRun({ state: "working" }) } });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    draw([call("1.0", "c1", { status: "running" })]);
    await user.click(screen.getByRole("button", { name: /Task c1/ }));
    expect(api.subagent).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 5; i += 1) set({ state: "working", last_line: String(i) });
    expect(api.subagent).toHaveBeenCalledTimes(1);
    await act(() => vi.advanceTimersByTimeAsync(2100));
    expect(api.subagent).toHaveBeenCalledTimes(2);
    set({ state: "needs_input" });
    await act(() => vi.advanceTimersByTimeAsync(2100));
    expect(api.subagent).toHaveBeenCalledTimes(3);
    set({ state: "needs_input", last_line: "later" });
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(api.subagent).toHaveBeenCalledTimes(3);
    set({ state: "working" });
    await user.click(screen.getByRole("button", { name: /Task c1/ }));
    await act(() => vi.advanceTimersByTimeAsync(4000));
    const closed = api.subagent.mock.calls.length;
    set({ state: "working", last_line: "more" });
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(api.subagent).toHaveBeenCalledTimes(closed);
  } finally {
    vi.useRealTimers();
  }
});

test("older messages of a subagent come on demand", async () => {
  api.subagent.mockResolvedValueOnce(page([sampleMessage("9.0")], { has_more: true })).mockResolvedValueOnce(page([sampleMessage("3.0")]));
  draw([call("1.0", "d1")]);
  await userEvent.click(screen.getByRole("button", { name: /Task d1/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Show earlier messages" }));
  expect(await screen.findByText("text at 3.0")).toBeTruthy();
  expect(api.subagent).toHaveBeenLastCalledWith("r1", "d1", "9.0");
  expect(screen.queryByRole("button", { name: "Show earlier messages" })).toBeNull();
});

test("a pace that is stopped calls no more", () => {
  vi.useFakeTimers();
  const done = vi.fn();
  const ask = paced(done, 100);
  ask();
  ask();
  ask.stop();
  vi.advanceTimersByTime(500);
  expect(done).toHaveBeenCalledOnce();
  ask();
  expect(done).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("the browser's own colour is the theme's", () => {
  const tags = (["light", "dark"] as const).map((scheme) => {
    const tag = document.createElement("meta");
    Object.assign(tag, { name: "theme-color", media: `(prefers-color-scheme: ${scheme})` });
    document.head.append(tag);
    return tag;
  });
  followTheme();
  expect(tags.map(({ content }) => content)).toEqual([papers.light, papers.dark]);
  usePrefs.getState().setTheme("dark");
  expect(tags.map(({ content }) => content)).toEqual([papers.dark, papers.dark]);
  usePrefs.getState().setTheme("system");
  expect(tags.map(({ content }) => content)).toEqual([papers.light, papers.dark]);
});
