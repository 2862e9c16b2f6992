import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { noPick, type Talk } from "../state/answers.ts";
import { sampleAsked, sampleReceipt } from "../test/samples.ts";
import { DialogCard, type CardProps } from "./dialog-card.tsx";

function Harness({ change }: { change: Partial<CardProps> }) {
  const dialog = change.dialog ?? sampleAsked({ can_discuss: true });
  const [talk, setTalk] = useState<Talk | undefined>(change.talk);
  const none = { said: undefined, talked: undefined, receipt: undefined, mine: false, terminal: false, ended: false, failure: undefined, problem: undefined, note: undefined, written: "", attach: "tmux attach", now: 0 };
  const calls = { onPick: () => {}, onAnswer: () => {}, onDiscuss: () => {}, onWords: () => {}, onDismiss: () => {} };
  return <DialogCard {...none} {...calls} stage="waiting" {...change} dialog={dialog} picks={dialog.questions.map(() => noPick)} talk={talk} onTalk={setTalk} />;
}
const draw = (change: Partial<CardProps> = {}) => render(<Harness change={change} />);
const button = (name: string) => screen.queryByRole("button", { name });
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const field = () => screen.queryByRole<HTMLTextAreaElement>("textbox", { name: "What would you like to talk about?" });

test("a question can be talked about first; it is sent with no option chosen", async () => {
  const onDiscuss = vi.fn();
  const onAnswer = vi.fn();
  draw({ onDiscuss, onAnswer });
  expect(field()).toBeNull();
  await press("Chat about this");
  expect(document.activeElement).toBe(field());
  await userEvent.keyboard("is blue navy?{Enter}2");
  await press("Send, without an answer");
  expect(onDiscuss).toHaveBeenCalledExactlyOnceWith("is blue navy?\n2");
  expect(onAnswer).not.toHaveBeenCalled();
});

test("no words are needed, and with the keys of the composer it is sent as well", async () => {
  const onDiscuss = vi.fn();
  draw({ onDiscuss });
  await press("Chat about this");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(onDiscuss).toHaveBeenCalledExactlyOnceWith("");
});

test("closed again, the field keeps what was written", async () => {
  draw();
  await press("Chat about this");
  await userEvent.keyboard("why?");
  await press("Back to the question");
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button("Chat about this"));
  await press("Chat about this");
  expect(field()?.value).toBe("why?");
});

test("only what the server says can be talked about has the action", () => {
  draw({ dialog: sampleAsked() });
  expect(button("Chat about this")).toBeNull();
});

test("while it is being sent nothing is sent again", async () => {
  const onDiscuss = vi.fn();
  draw({ stage: "sending", talk: { words: "why?", open: true }, onDiscuss });
  for (const sending of screen.getAllByRole("button", { name: "Sending" })) await userEvent.click(sending);
  expect(onDiscuss).not.toHaveBeenCalled();
});

test("handed over, recorded, failed, and how it ended", () => {
  const { rerender } = draw({ stage: "sent", talked: "why?" });
  expect(screen.getByText("Handed over")).toBeTruthy();
  expect(screen.getByText("why?")).toBeTruthy();
  rerender(<Harness key="2" change={{ stage: "recorded", talked: "" }} />);
  expect(screen.getByText("You want to talk about it first")).toBeTruthy();
  rerender(<Harness key="3" change={{ stage: "waiting", failure: { detail: "Recorded by the CLI: Blue." }, talk: { words: "why?", open: true } }} />);
  expect(screen.getByRole("alert").textContent).toContain("Recorded by the CLI: Blue.");
  expect(field()?.value).toBe("why?");
  const outcome = { accepted: false, discussed: true, answers: [], detail: "why?" };
  const ended = { dialog: sampleAsked({ outcome }), stage: "settled" as const };
  rerender(<Harness key="4" change={{ ...ended, receipt: sampleReceipt({ kind: "answer", status: "recorded", by: "token" }) }} />);
  expect(screen.getByText("Put off by a program, to talk about it")).toBeTruthy();
  expect(screen.getByText("why?")).toBeTruthy();
  rerender(<Harness key="5" change={ended} />);
  expect(screen.getByText("Put off to talk about it")).toBeTruthy();
});
