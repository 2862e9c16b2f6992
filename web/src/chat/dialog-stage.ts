import type { Dialog, Receipt } from "../api/schema.ts";
import type { Answering } from "../state/answers.ts";
import { whose } from "../state/whose.ts";
import { strings } from "../strings.ts";

/** Where an answer stands. Nothing here runs ahead of what the server said. */
export type Stage =
  /** It can be answered here. */
  | "waiting"
  /** It can be answered, but only in the terminal. */
  | "reading"
  | "sending"
  /** With the agent; its record does not show it yet. */
  | "sent"
  /** The record shows it, and the dialog's own message does not say so yet. */
  | "recorded"
  | "settled"
  /** Nobody waits any more, and no outcome is known. */
  | "over";

type Facts = { dialog: Dialog; asks: Dialog | undefined; mine: Receipt | undefined; act: Answering | undefined; ended: boolean };

export function stageOf({ dialog, asks, mine, act, ended }: Facts): Stage {
  if (dialog.outcome) return "settled";
  if (act?.busy) return "sending";
  if (mine?.status === "recorded") return "recorded";
  if (mine && mine.status !== "failed") return "sent";
  if (!asks || ended) return "over";
  return asks.answerable ? "waiting" : "reading";
}

const isAsking = new Set<Stage>(["waiting", "reading", "sending"]);
export const asking = (stage: Stage): boolean => isAsking.has(stage);

type Ending = { accepted: boolean; discussed?: boolean | undefined };

/** Who answered, as far as anybody knows. */
export function answeredBy({ accepted, discussed }: Ending, receipt: Receipt | undefined, mine: boolean, terminal: boolean): string {
  const words = strings.dialog;
  const who = mine ? "you" : receipt?.status === "recorded" ? whose(receipt) : terminal ? "terminal" : "";
  if (discussed) return words.discussedBy[who] ?? words.discussed;
  if (who === "") return accepted ? words.answered : words.declined;
  return accepted ? (words.by[who] ?? words.byOther(who)) : (words.declinedBy[who] ?? words.declinedByOther(who));
}

export function kindWord(dialog: Dialog): string {
  if (dialog.kind === "question") return strings.dialog.question(Math.max(1, dialog.questions.length));
  return strings.dialog[dialog.kind];
}

/** A dialog in one line. A plan's title is the first line of the plan. */
export function lineOf(dialog: Dialog): string {
  const { title, body } = dialog;
  if (title !== "" && title !== kindWord(dialog)) return title;
  const line = body.split("\n").find((one) => one.trim() !== "");
  return (line ?? title).replace(/^[#>\s]+/, "").trim();
}
