import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Dialog } from "../api/schema.ts";
import { noPick, type Pick } from "../state/answers.ts";
import { sampleAsked, sampleReceipt } from "../test/samples.ts";
import { DialogCard, type CardProps } from "./dialog-card.tsx";
import { answeredBy, lineOf, stageOf } from "./dialog-stage.ts";

type Change = Partial<CardProps>;

function Harness({ change }: { change: Change }) {
  const dialog = change.dialog ?? sampleAsked();
  const [picks, setPicks] = useState<readonly Pick[]>(change.picks ?? dialog.questions.map(() => noPick));
  const none = { said: undefined, talk: undefined, talked: undefined, receipt: undefined, mine: false, terminal: false, ended: false, failure: undefined, problem: undefined, note: undefined, written: "", attach: "tmux attach", now: 0 };
  const calls = { onTalk: () => {}, onDiscuss: () => {}, onAnswer: () => {}, onWords: () => {}, onDismiss: () => {} };
  return <DialogCard {...none} {...calls} stage="waiting" {...change} dialog={dialog} picks={picks} onPick={(at, pick) => setPicks(picks.with(at, pick))} />;
}
const draw = (change: Change = {}) => render(<Harness change={change} />);
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const pressed = (name: string | RegExp) => userEvent.click(button(name));

const choice = (kind: "plan" | "approval", labels: string[]): Dialog =>
  sampleAsked({
    kind,
    title: kind === "plan" ? "Plan" : "Run make",
    body: kind === "plan" ? "# Port it\n\n1. First" : "```sh\nmake\n```",
    questions: [{ header: "", text: "Go ahead?", options: labels.map((label) => ({ label, description: "" })), multi_select: false, free_text: true }],
  });

test("several questions: what is missing is said, tabs get ticks, and all of it is sent", async () => {
  const onAnswer = vi.fn();
  draw({ onAnswer });
  const send = button("Send answer");
  expect(send.getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByText("Still to answer: Colour, Toppings")).toBeTruthy();
  await userEvent.click(send);
  await userEvent.click(screen.getByRole("radio", { name: /Blue/ }));
  expect(screen.getByRole("tab", { name: "answered: Colour" })).toBeTruthy();
  await pressed("Next");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Toppings");
  await userEvent.click(screen.getByRole("checkbox", { name: "Ham" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Corn" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Your own words" }), "rocket");
  await userEvent.click(send);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith([{ selected: [1] }, { selected: [0, 2], other_text: "rocket" }]);
});

test("of one question, an option and own words exclude each other, and nothing written is lost", async () => {
  const onAnswer = vi.fn();
  const [colour] = sampleAsked().questions;
  if (!colour) throw new Error("no question");
  draw({ dialog: sampleAsked({ title: colour.text, questions: [colour] }), onAnswer });
  expect(screen.queryByRole("tab")).toBeNull();
  const own = screen.getByRole("textbox", { name: "Your own words" });
  await userEvent.type(own, "7 shades");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Answer in your own words" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: /Red/ }));
  await pressed("Send answer");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [0] }]);
  expect((own as HTMLTextAreaElement).value).toBe("7 shades");
  await userEvent.click(screen.getByRole("radio", { name: "Answer in your own words" }));
  await pressed("Send answer");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [], other_text: "7 shades" }]);
});

test("digits choose while the card has the focus, and are written in a field", async () => {
  draw();
  const card = screen.getByRole("group", { name: "Two things" });
  card.focus();
  await userEvent.keyboard("2");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Blue/ }).checked).toBe(true);
  await userEvent.keyboard("4");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Your own words");
  await userEvent.keyboard("13");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("13");
});

test("tabs are walked with the arrows", async () => {
  draw();
  screen.getByRole("tab", { selected: true }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Toppings");
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Colour");
});

test("a plan: one press decides, and what should change goes with the last option only", async () => {
  const onAnswer = vi.fn();
  draw({ dialog: choice("plan", ["Approve", "Approve, freely", "Keep planning"]), onAnswer });
  expect(screen.getByText("First")).toBeTruthy();
  expect(button("Approve").className).toContain("primary");
  await userEvent.type(screen.getByRole("textbox", { name: "What should change?" }), "Fewer steps");
  expect(screen.getByText("Goes along with “Keep planning” only.")).toBeTruthy();
  await pressed("Approve, freely");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [1] }]);
  await pressed("Keep planning");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [2], other_text: "Fewer steps" }]);
});

test("a permission: the last option denies, with words or without", async () => {
  const onAnswer = vi.fn();
  draw({ dialog: choice("approval", ["Allow once", "Deny"]), onAnswer });
  expect(button("Deny").className).toContain("danger");
  await pressed("Deny");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [1] }]);
  await userEvent.type(screen.getByRole("textbox", { name: "What to do instead" }), "  ask me later ");
  await pressed("Deny");
  expect(onAnswer).toHaveBeenLastCalledWith([{ selected: [1], other_text: "ask me later" }]);
});

test("while it is being sent nothing is sent again", async () => {
  const onAnswer = vi.fn();
  draw({ stage: "sending", picks: [{ ...noPick, selected: [0] }, { ...noPick, selected: [0] }], onAnswer });
  await pressed("Sending");
  expect(onAnswer).not.toHaveBeenCalled();
});

test("where nothing can be answered here, it is there to read, with the way to the terminal", () => {
  draw({ stage: "reading" });
  const card = screen.getByRole("group", { name: "Two things" });
  expect(within(card).getByText("Red")).toBeTruthy();
  expect(within(card).getByText("Choose any, or answer in your own words.")).toBeTruthy();
  expect(within(card).getByText("tmux attach")).toBeTruthy();
  expect(within(card).queryByRole("radio")).toBeNull();
});

test("handed over, recorded, failed, and what was written elsewhere", async () => {
  const said = ["Blue", "Ham"];
  const { rerender } = draw({ stage: "sent", said });
  expect(screen.getByText("Handed over")).toBeTruthy();
  expect(screen.getByText("Blue")).toBeTruthy();
  rerender(<Harness key="2" change={{ stage: "sent", said, ended: true }} />);
  expect(screen.getByText(/The run ended before/)).toBeTruthy();
  rerender(<Harness key="3" change={{ stage: "over", failure: { detail: "Recorded by the CLI: Red." } }} />);
  expect(screen.getByRole("alert").textContent).toContain("Recorded by the CLI: Red.");
  const onWords = vi.fn();
  const note = { kind: "elsewhere" as const, words: "" };
  rerender(<Harness key="4" change={{ stage: "over", note, written: "rocket", onWords }} />);
  expect(screen.getByText("This was answered elsewhere. Your answer was not sent.")).toBeTruthy();
  await pressed("Put into the composer");
  expect(onWords).toHaveBeenCalledExactlyOnceWith("rocket");
});

test("the outcome says who answered, as far as it is known", () => {
  const outcome = { accepted: true, discussed: false, answers: [["Which colour?", "Blue"]] as [string, string][] };
  draw({ dialog: sampleAsked({ outcome }), stage: "settled", terminal: true });
  expect(screen.getByText("Answered in the terminal")).toBeTruthy();
  expect(screen.getByText("Blue")).toBeTruthy();
  const by = (who: string) => sampleReceipt({ kind: "answer", status: "recorded", by: who });
  expect(answeredBy({ accepted: true }, by("browser"), true, false)).toBe("Answered by you");
  expect(answeredBy({ accepted: true }, by("browser"), false, false)).toBe("Answered in a browser");
  expect(answeredBy({ accepted: false }, by("token"), false, false)).toBe("Declined by a program");
  expect(answeredBy({ accepted: true }, by("phone"), false, false)).toBe("Answered by phone");
  // A failed answer is nobody's, and an outcome from before has no known author.
  expect(answeredBy({ accepted: true }, sampleReceipt({ kind: "answer", status: "failed" }), false, false)).toBe("Answered");
});

test("a card folds into one line", async () => {
  draw({ dialog: choice("plan", ["Approve", "Keep planning"]) });
  await pressed("Plan");
  expect(button("Plan Port it").getAttribute("aria-expanded")).toBe("false");
  expect(screen.queryByRole("textbox")).toBeNull();
  await pressed(/^Plan/);
  expect(lineOf(sampleAsked())).toBe("Two things");
});

test("a stage is what the server said", () => {
  const dialog = sampleAsked();
  const facts = { dialog, asks: dialog, mine: undefined, act: undefined, ended: false };
  const mine = (status: "typed" | "recorded" | "failed") => sampleReceipt({ kind: "answer", status });
  expect(stageOf(facts)).toBe("waiting");
  expect(stageOf({ ...facts, asks: { ...dialog, answerable: false } })).toBe("reading");
  expect(stageOf({ ...facts, act: { busy: true } })).toBe("sending");
  expect(stageOf({ ...facts, mine: mine("typed") })).toBe("sent");
  expect(stageOf({ ...facts, mine: mine("failed") })).toBe("waiting");
  expect(stageOf({ ...facts, asks: undefined, mine: mine("recorded") })).toBe("recorded");
  expect(stageOf({ ...facts, asks: undefined })).toBe("over");
  expect(stageOf({ ...facts, ended: true })).toBe("over");
  expect(stageOf({ ...facts, dialog: { ...dialog, outcome: { accepted: true, discussed: false, answers: [] } }, act: { busy: true } })).toBe("settled");
});
