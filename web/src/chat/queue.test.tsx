import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { expect, test, vi } from "vitest";
import { newClientId } from "../state/device.ts";
import { sampleHeld, sampleReceipt } from "../test/samples.ts";
import { Queue } from "./queue.tsx";

type Props = ComponentProps<typeof Queue>;

const calls = () => ({ onSend: vi.fn(), onEdit: vi.fn(), onType: vi.fn(), onSave: vi.fn(), onCancel: vi.fn(), onMove: vi.fn(), onRemove: vi.fn(), onUndo: vi.fn(), onWords: vi.fn(), onDismiss: vi.fn() });
const queue = (change: Partial<Props> = {}) => <Queue run="r1" queued={[]} receipts={{}} queueing={{}} now={0} {...calls()} {...change} />;
const draw = (change: Partial<Props> = {}) => render(queue(change));
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const line = ["first", "second", "third"].map((text, at) => sampleHeld({ id: `q${at}`, text }));
const entry = (text: string) => within(screen.getByText(text).closest("li") ?? document.body);

test("every held reply is there, with its reason and where it is from", () => {
  const queued = [sampleHeld({ id: "q1", text: "mine" }), sampleHeld({ id: "q2", text: "theirs", reason: "", cause: "screen" }), sampleHeld({ id: "q3", text: "scripted", by: "token", when: "after_turn" })];
  const receipts = { q1: sampleReceipt({ id: "q1", by: "browser", client_id: newClientId() }), q2: sampleReceipt({ id: "q2", by: "browser", client_id: "b-ffffffff.1" }) };
  draw({ queued, receipts });
  expect(screen.getByRole("region", { name: "3 replies held" })).toBeTruthy();
  const [own, other, program] = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(own).toContain("A question is open.");
  expect(own).not.toContain("from");
  expect(other).toContain("Waits for the terminal to show its composer");
  expect(other).toContain("from another browser");
  expect(program).toMatch(/after this turn · from a program/);
});

test("a cause that this page does not know is shown with the server's words", () => {
  draw({ queued: [sampleHeld({ cause: "unknown", when: "unknown", reason: "The moon is full." })] });
  expect(screen.getByRole("listitem").textContent).toContain("The moon is full.");
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
});

test("a draft in the terminal: sending it anyway is the main thing to do, and is said once", async () => {
  const onSend = vi.fn();
  const queued = [sampleHeld({ cause: "draft" })];
  const { rerender } = draw({ queued, onSend });
  await userEvent.click(button("Send anyway"));
  expect(onSend).toHaveBeenCalledExactlyOnceWith(queued[0]);
  rerender(queue({ queued, queueing: { forced: ["x1"] } }));
  expect(screen.queryByRole("button", { name: "Send anyway" })).toBeNull();
});

test.each([
  ["epoch", "Send it in this conversation?", "Send here"],
  ["doubt", "Was it sent?", "Send it"],
] as const)("%s is a person's decision: it stands first, apart, and nothing moves it", async (cause, title, send) => {
  const [onSend, onRemove] = [vi.fn(), vi.fn()];
  const open = sampleHeld({ id: "q9", text: "undecided", cause });
  draw({ queued: [...line, open], onSend, onRemove });
  expect(screen.getAllByRole("listitem")[0]?.textContent).toContain(title);
  const own = entry("undecided");
  expect(own.queryByRole("button", { name: "Move up" })).toBeNull();
  await userEvent.click(own.getByRole("button", { name: send }));
  await userEvent.click(own.getByRole("button", { name: "Remove" }));
  expect([onSend.mock.calls, onRemove.mock.calls]).toEqual([[[open]], [[open]]]);
});

test("the order changes by buttons and by keys, up to its ends", async () => {
  const onMove = vi.fn();
  draw({ queued: line, onMove });
  await userEvent.click(entry("second").getByRole("button", { name: "Move up" }));
  await userEvent.click(entry("first").getByRole("button", { name: "Move up" }));
  expect(onMove.mock.calls).toEqual([["q1", -1]]);
  entry("second").getByRole("button", { name: /^Edit/ }).focus();
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}{ArrowDown}");
  expect(onMove.mock.calls).toEqual([["q1", -1], ["q1", 1]]);
});

test("one alone has no order", () => {
  draw({ queued: line.slice(0, 1) });
  expect(screen.queryByRole("button", { name: "Move up" })).toBeNull();
});

test("words are changed in their place: Enter saves, Escape leaves them", () => {
  const [onSave, onCancel, onType] = [vi.fn(), vi.fn(), vi.fn()];
  const editing = { id: "q1", text: "second, better", was: "second" };
  draw({ queued: line, queueing: { editing }, onSave, onCancel, onType });
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Held reply" });
  expect(document.activeElement).toBe(field);
  fireEvent.change(field, { target: { value: "x" } });
  expect(onType).toHaveBeenCalledExactlyOnceWith("x");
  fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
  expect(onSave).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: "Enter" });
  fireEvent.keyDown(field, { key: "Escape" });
  expect([onSave.mock.calls.length, onCancel.mock.calls.length]).toEqual([1, 1]);
});

test("what was refused says why, at its entry", () => {
  draw({ queued: line, queueing: { problem: { id: "q1", message: "Too long.", hint: "Use a file." } } });
  expect(entry("second").getByRole("alert").textContent).toBe("Too long.Use a file.");
});

test("what is gone says so: removed with a way back, sent without the changes, and gently", async () => {
  const all = calls();
  const { rerender } = draw({ ...all, queueing: { note: { kind: "removed", entry: sampleHeld(), next: null } } });
  expect(screen.getByText("held words")).toBeTruthy();
  await userEvent.click(button("Undo"));
  rerender(queue({ ...all, queueing: { note: { kind: "removed", entry: sampleHeld({ cause: "epoch" }), next: null } } }));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  await userEvent.click(button("Put into the composer"));
  rerender(queue({ ...all, queueing: { note: { kind: "sent", words: "better" } } }));
  expect(screen.getByText(/It was just sent, without your changes/)).toBeTruthy();
  await userEvent.click(button("Put into the composer"));
  rerender(queue({ ...all, queueing: { note: { kind: "sent", words: "" } } }));
  expect(screen.getByText("It was just sent.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(button("Dismiss"));
  expect([all.onUndo.mock.calls.length, all.onWords.mock.calls, all.onDismiss.mock.calls.length]).toEqual([1, [["held words"], ["better"]], 1]);
});

test("the focus stays in the queue when what had it goes", () => {
  const { rerender } = draw({ queued: line });
  entry("second").getByRole("button", { name: "Remove" }).focus();
  rerender(queue({ queued: line.filter(({ id }) => id !== "q1"), queueing: { note: { kind: "removed", entry: sampleHeld({ id: "q1" }), next: null } } }));
  expect(document.activeElement?.textContent).toBe("Undo");
  rerender(queue({ queued: line, queueing: { editing: { id: "q0", text: "first", was: "first" } } }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Held reply");
  rerender(queue({ queued: line }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Edit the held reply: first");
});

test("the stream may tell of a removal before the answer to it: the focus comes to the note all the same", () => {
  const { rerender } = draw({ queued: line });
  entry("second").getByRole("button", { name: "Remove" }).focus();
  const left = line.filter(({ id }) => id !== "q1");
  rerender(queue({ queued: left }));
  expect(document.activeElement).toBe(screen.getByRole("region"));
  rerender(queue({ queued: left, queueing: { note: { kind: "removed", entry: sampleHeld({ id: "q1" }), next: null } } }));
  expect(document.activeElement?.textContent).toBe("Undo");
});

test("several fold to one line; a decision never does", async () => {
  draw({ queued: [...line, sampleHeld({ id: "q9", text: "undecided", cause: "epoch" })] });
  await userEvent.click(button("3 replies held"));
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(screen.getByText("undecided")).toBeTruthy();
  await userEvent.click(button("3 replies held"));
  expect(screen.getAllByRole("listitem")).toHaveLength(4);
});
