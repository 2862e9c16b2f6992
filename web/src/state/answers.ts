/**
 * Answers to dialogs, from half made to recorded. A draft is this browser's; how far
 * an answer got is what its receipt says. Pure.
 */
import * as z from "zod/mini";
import { answerSchema, dialogSchema, type Answer, type Dialog, type Question, type Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";

const pickSchema = z.object({ selected: z.array(z.number()), words: z.string(), own: z.boolean() });
const talkSchema = z.object({ words: z.string(), open: z.boolean() });
const draftSchema = z.object({
  run: z.string(),
  at: z.number(),
  /** What the dialog looked like: an id may come again for another one. */
  shape: z.string(),
  picks: z.array(pickSchema),
  /** The dialog itself, where no message keeps it. */
  dialog: z.optional(dialogSchema),
  /** What the person would say instead of an answer. */
  talk: z.optional(talkSchema),
  /** What was handed to the server. The same answer tried again is the same one. With `talk` it is no answer. */
  sent: z.optional(z.object({ clientId: z.string(), answers: z.array(answerSchema), said: z.array(z.string()), talk: z.optional(z.string()) })),
});

/** What a person chose for one question so far. `own` says that the words are chosen, not only written. */
export type Pick = z.output<typeof pickSchema>;
/** Words for a talk before the answer, and whether their field is open. */
export type Talk = z.output<typeof talkSchema>;
export type AnswerDraft = z.output<typeof draftSchema>;

/** Why an answer did not reach its dialog: it was over, or another one was open. */
export type Note = { kind: "elsewhere" | "changed" | "moved"; words: string; dialog?: Dialog | undefined };
export type Answering = { busy?: boolean; problem?: { message: string; hint: string | undefined } | undefined; note?: Note | undefined };

const KEPT = 3 * 24 * 60 * 60 * 1000;
/** A longer body is not kept in the browser's storage: the card then shows its title. */
const BODY_KEPT = 20_000;

export const answerKey = (run: string, dialog: string): string => `${run}/${dialog}`;
export const noPick: Pick = { selected: [], words: "", own: false };

export function readDrafts(saved: Record<string, unknown>, now: number): Record<string, AnswerDraft> {
  return Object.fromEntries(
    Object.entries(saved).flatMap(([key, value]) => {
      const read = draftSchema.safeParse(value);
      return read.success && now - read.data.at < KEPT ? [[key, read.data]] : [];
    }),
  );
}

/** A short name for everything that a person sees of a dialog. */
export function shapeOf({ kind, body, questions }: Dialog): string {
  const asked = questions.map(({ text, options, multi_select }) => [text, multi_select, options.map(({ label }) => label)]);
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify([kind, body, asked])) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

function fitting(question: Question, pick: Pick | undefined): Pick {
  if (!pick) return noPick;
  const known = [...new Set(pick.selected)].filter((at) => Number.isInteger(at) && at >= 0 && at < question.options.length);
  const own = pick.own && question.free_text;
  const selected = question.multi_select ? known.toSorted((a, b) => a - b) : own ? [] : known.slice(0, 1);
  return { selected, own, words: question.free_text ? pick.words : "" };
}

/** One pick for each question, made to fit: what is kept may be old, or of another dialog. */
export function picksOf(dialog: Dialog, draft: AnswerDraft | undefined): Pick[] {
  const picks = draft?.shape === shapeOf(dialog) ? draft.picks : [];
  return dialog.questions.map((question, i) => fitting(question, picks[i]));
}

/** The draft with one question's pick changed. What was handed over stays named, so that a retry is the same answer. */
export function withPick(run: string, dialog: Dialog, draft: AnswerDraft | undefined, index: number, pick: Pick, now: number): AnswerDraft {
  const kept = withAll(run, dialog, draft, now);
  return { ...kept, picks: kept.picks.with(index, pick) };
}

/** What is kept, made to fit the dialog as it is now. */
export function withAll(run: string, dialog: Dialog, draft: AnswerDraft | undefined, now: number): AnswerDraft {
  const talk = draft?.talk;
  return { ...blank(run, dialog, now), picks: picksOf(dialog, draft), ...(talk === undefined ? {} : { talk }), ...(draft?.sent ? { sent: draft.sent } : {}) };
}

export function blank(run: string, dialog: Dialog, now: number): AnswerDraft {
  const kept = dialog.body.length > BODY_KEPT ? { ...dialog, body: "" } : dialog;
  return { run, at: now, shape: shapeOf(dialog), picks: dialog.questions.map(() => noPick), ...(dialog.kind === "approval" ? { dialog: kept } : {}) };
}

const hasWords = ({ own, words }: Pick) => own && words.trim() !== "";
export const isAnswered = (pick: Pick): boolean => pick.selected.length > 0 || hasWords(pick);
/** The places of the questions that have no answer yet. */
export const missing = (picks: readonly Pick[]): number[] => picks.flatMap((pick, i) => (isAnswered(pick) ? [] : [i]));

export const toAnswer = (pick: Pick): Answer => ({ selected: pick.selected, ...(hasWords(pick) ? { other_text: pick.words.trim() } : {}) });

/** What an answer says, in the words of its question. Words beside a decision explain it. */
export function spoken(kind: Dialog["kind"], question: Question, { selected, other_text: words }: Answer): string {
  const labels = selected.flatMap((at) => question.options[at]?.label ?? []).join(", ");
  if (words === undefined || labels === "") return words ?? labels;
  return kind === "plan" || kind === "approval" ? `${labels}: ${words}` : `${labels}, ${words}`;
}

/** Words that were written and not handed over. */
export function leftover(draft: AnswerDraft | undefined): string {
  const gone = new Set([draft?.sent?.talk, ...(draft?.sent?.answers.map(({ other_text }) => other_text) ?? [])]);
  return [...(draft?.picks ?? []).map(({ words }) => words), draft?.talk?.words ?? ""]
    .map((words) => words.trim())
    .filter((words) => words !== "" && !gone.has(words))
    .join("\n");
}

export function receiptOf(conversation: Conversation | undefined, draft: AnswerDraft | undefined): Receipt | undefined {
  const id = draft?.sent?.clientId;
  if (id === undefined || !conversation) return undefined;
  return Object.values(conversation.receipts).find(({ client_id }) => client_id === id);
}

const waits = (conversation: Conversation, id: string) => conversation.pendingDialogs.some((dialog) => dialog.id === id);

function isOver(conversation: Conversation, id: string): boolean {
  return conversation.messages.some(({ dialog, tool }) => {
    if (dialog?.id === id) return dialog.outcome !== undefined;
    return tool?.call_id === id && tool.status !== "running" && tool.status !== "unknown";
  });
}

/** Drafts that have done their work. Words that were not sent are kept until a person decides. */
export function doneAnswers(conversation: Conversation, answers: Record<string, AnswerDraft>, run: string): string[] {
  return Object.entries(answers).flatMap(([key, draft]) => {
    const id = key.slice(run.length + 1);
    if (draft.run !== run || waits(conversation, id) || leftover(draft) !== "") return [];
    const status = receiptOf(conversation, draft)?.status;
    // What was chosen is said at the outcome, and only here is it known.
    const useful = draft.sent !== undefined && (draft.dialog === undefined || status !== "recorded");
    return isOver(conversation, id) && !useful ? [key] : [];
  });
}

/** Approvals that wait no more, of which there is still something to say: no message keeps them. */
export function keptDialogs(
  conversation: Conversation,
  answers: Record<string, AnswerDraft>,
  answering: Record<string, Answering>,
  run: string,
): Dialog[] {
  const drafts = Object.entries(answers).filter(([, one]) => one.run === run && one.dialog);
  const kept = drafts.flatMap(([, draft]) => {
    const status = receiptOf(conversation, draft)?.status;
    const open = status !== undefined && status !== "recorded";
    return draft.dialog && (open || leftover(draft) !== "") ? [draft.dialog] : [];
  });
  const noted = Object.entries(answering).flatMap(([key, { note }]) => (key.startsWith(answerKey(run, "")) && note?.dialog ? [note.dialog] : []));
  const all = new Map([...noted, ...kept].map((dialog) => [dialog.id, dialog]));
  return [...all.values()].filter(({ id }) => !waits(conversation, id));
}
