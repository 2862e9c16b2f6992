import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import type { SendWhen } from "../api/schema.ts";
import { newId } from "../state/id.ts";
import { afterSent, sends, sendsLater } from "./composer-keys.ts";
import { Composer } from "./composer.tsx";

const key = (change: object = {}) => ({ key: "Enter", shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, keyCode: 13, isComposing: false, ...change });

test.each([
  [{}, false, true],
  [{}, true, false],
  [{ shiftKey: true }, false, false],
  [{ altKey: true }, false, false],
  [{ ctrlKey: true }, true, true],
  [{ metaKey: true }, true, true],
  [{ isComposing: true }, false, false],
  [{ keyCode: 229 }, false, false],
  [{ isComposing: true, ctrlKey: true }, false, false],
  [{ key: "a" }, false, false],
])("Enter %j, coarse %s: sends %s", (change, coarse, expected) => expect(sends(key(change), coarse)).toBe(expected));

test("only the text that was sent leaves the draft", () => {
  expect(afterSent("hello", "hello")).toBe("");
  expect(afterSent("hello\nand more", "hello")).toBe("and more");
  expect(afterSent("rewritten", "hello")).toBe("rewritten");
});

test("ids are UUIDs also without randomUUID", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(newId()).toMatch(uuid);
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(newId()).toMatch(uuid);
  vi.unstubAllGlobals();
});

type Sending = (text: string, id: string, when: SendWhen) => Promise<void>;

function Harness({ onSend, closed, working = false }: { onSend: Sending; closed?: string; working?: boolean }) {
  const [draft, setDraft] = useState("");
  return <Composer draft={draft} closed={closed} working={working} onDraft={setDraft} onSend={onSend} onSent={(sent) => setDraft((had) => afterSent(had, sent))} />;
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

test("Enter sends and empties the field; Shift+Enter makes a line", async () => {
  const onSend = vi.fn(async () => {});
  render(<Harness onSend={onSend} />);
  await userEvent.type(field(), "one{Shift>}{Enter}{/Shift}two{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("one\ntwo", expect.any(String), "now");
  expect(field().value).toBe("");
});

test("the Enter of a composition does not send", () => {
  const onSend = vi.fn(async () => {});
  render(<Harness onSend={onSend} />);
  fireEvent.change(field(), { target: { value: "に" } });
  fireEvent.keyDown(field(), { key: "Enter", keyCode: 229 });
  expect(onSend).not.toHaveBeenCalled();
});

test("a refused text stays, with the server's words; the next try is the same reply", async () => {
  const onSend = vi.fn(async (_text: string, _id: string): Promise<void> => {
    throw new ApiError("Too long.", 422, { hint: "Use a file." });
  });
  render(<Harness onSend={onSend} />);
  await userEvent.type(field(), "keep me{Enter}");
  expect(field().value).toBe("keep me");
  expect(screen.getByRole("alert").textContent).toBe("Too long.Use a file.");
  await userEvent.type(field(), "{Enter}");
  expect(onSend.mock.calls[1]?.[1]).toBe(onSend.mock.calls[0]?.[1]);
  await userEvent.type(field(), " or not{Enter}");
  expect(onSend.mock.calls[2]?.[1]).not.toBe(onSend.mock.calls[0]?.[1]);
});

test("one press while one is on its way is one reply, and typing goes on", async () => {
  let done = () => {};
  const onSend = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
  render(<Harness onSend={onSend} />);
  await userEvent.type(field(), "a{Enter}{Enter}{Shift>}{Enter}{/Shift}b");
  expect(onSend).toHaveBeenCalledOnce();
  done();
  await vi.waitFor(() => expect(field().value).toBe("b"));
});

test("while the agent works one chooses: into the turn, or behind it; the choice is for one reply", async () => {
  const onSend = vi.fn<Sending>(async () => {});
  const { rerender } = render(<Harness onSend={onSend} working />);
  const choice = () => screen.getByRole("radiogroup", { name: "When to send" });
  expect(choice().querySelector(":checked")?.parentElement?.textContent).toBe("Now");
  await userEvent.type(field(), "first{Enter}");
  await userEvent.click(screen.getByRole("radio", { name: "After this turn" }));
  await userEvent.type(field(), "second{Enter}");
  expect(choice().querySelector(":checked")?.parentElement?.textContent).toBe("Now");
  await userEvent.type(field(), "third{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await userEvent.type(field(), "fourth{Enter}");
  expect(onSend.mock.calls.map(([text, , when]) => [text, when])).toEqual([["first", "now"], ["second", "after_turn"], ["third", "after_turn"], ["fourth", "now"]]);
  await userEvent.click(screen.getByRole("radio", { name: "After this turn" }));
  rerender(<Harness onSend={onSend} />);
  expect(screen.queryByRole("radiogroup")).toBeNull();
  await userEvent.type(field(), "at rest{Enter}");
  expect(onSend).toHaveBeenLastCalledWith("at rest", expect.any(String), "now");
});

test.each([
  [{ ctrlKey: true, shiftKey: true }, true],
  [{ metaKey: true, shiftKey: true }, true],
  [{ ctrlKey: true }, false],
  [{ shiftKey: true }, false],
  [{ ctrlKey: true, shiftKey: true, isComposing: true }, false],
])("Enter %j sends after the turn: %s", (change, expected) => expect(sendsLater(key(change))).toBe(expected));

test("an ended run offers to go on, quotes a process that failed, and shows why it cannot", async () => {
  const onResume = vi.fn(async () => {
    throw new ApiError("This conversation goes on in run r-2.", 409, { hint: "Go on in that run." });
  });
  render(
    <Composer draft="" closed="This run has ended (exit 1)." lastWords="No conversation found" onResume={onResume} onDraft={() => {}} onSend={async () => {}} onSent={() => {}} />,
  );
  expect(screen.getByText("No conversation found")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Resume" }));
  expect(onResume).toHaveBeenCalledOnce();
  expect(screen.getByRole("alert").textContent).toContain("This conversation goes on in run r-2.");
});

test("an ended run says why; the field stays open for the words in it", async () => {
  const onSend = vi.fn(async () => {});
  render(<Harness onSend={onSend} closed="This run has ended." />);
  await userEvent.type(field(), "text{Enter}");
  expect(onSend).not.toHaveBeenCalled();
  expect(field().value).toBe("text");
  expect(screen.getByText("This run has ended.")).toBeTruthy();
});
