/** Hands answers to the server. Each answer is sent once; what the server says to it stands at its card. */
import { client } from "../api/client.ts";
import type { ApiError } from "../api/http.ts";
import type { Answer, Dialog, Receipt } from "../api/schema.ts";
import { answerKey, leftover, shapeOf, spoken, withAll, withPick, type AnswerDraft, type Answering, type Pick, type Talk } from "./answers.ts";
import { withFirstReceipt, withPending } from "./conversation.ts";
import { newClientId } from "./device.ts";
import { noted, patchConversation } from "./live.ts";
import { usePrefs } from "./prefs.ts";
import { useApp } from "./store.ts";

function patch(key: string, change: Answering): void {
  useApp.setState(({ answering }) => ({ answering: { ...answering, [key]: { ...answering[key], ...change } } }));
}

export function pick(run: string, dialog: Dialog, index: number, chosen: Pick): void {
  const key = answerKey(run, dialog.id);
  const { answers, setAnswer } = usePrefs.getState();
  setAnswer(key, withPick(run, dialog, answers[key], index, chosen, Date.now()));
}

/** What the person would say before they answer. */
export function talk(run: string, dialog: Dialog, said: Talk): void {
  const key = answerKey(run, dialog.id);
  const { answers, setAnswer } = usePrefs.getState();
  setAnswer(key, { ...withAll(run, dialog, answers[key], Date.now()), talk: said });
}

/** Nothing more is to be said about it: its words were taken, or are not wanted. */
export function dismissAnswer(run: string, dialog: string): void {
  const key = answerKey(run, dialog);
  usePrefs.getState().forgetAnswers([key]);
  useApp.setState(({ answering }) => ({ answering: Object.fromEntries(Object.entries(answering).filter(([one]) => one !== key)) }));
}

/** The note was read. What is chosen in the card stays. */
export const dismissNote = (run: string, dialog: string): void => patch(answerKey(run, dialog), { note: undefined });

export function sendAnswer(run: string, dialog: Dialog, answers: Answer[]): Promise<void> {
  const said = dialog.questions.map((question, i) => spoken(dialog.kind, question, answers[i] ?? { selected: [] }));
  return handOver(run, dialog, { answers, said }, (clientId) => client.answer(run, dialog.id, answers, clientId));
}

/** No answer yet. The words may be empty. */
export function sendTalk(run: string, dialog: Dialog, words: string): Promise<void> {
  const said = { answers: [], said: [], talk: words.trim() };
  return handOver(run, dialog, said, (clientId) => client.discuss(run, dialog.id, said.talk, clientId));
}

type Said = Omit<NonNullable<AnswerDraft["sent"]>, "clientId">;

async function handOver(run: string, dialog: Dialog, said: Said, send: (clientId: string) => Promise<Receipt>): Promise<void> {
  const key = answerKey(run, dialog.id);
  if (useApp.getState().answering[key]?.busy) return;
  const draft = withAll(run, dialog, usePrefs.getState().answers[key], Date.now());
  const same = draft.sent !== undefined && draft.sent.talk === said.talk && JSON.stringify(draft.sent.answers) === JSON.stringify(said.answers);
  const clientId = same && draft.sent && !hasFailed(run, draft) ? draft.sent.clientId : newClientId();
  // Written down first: after a reload the receipt still finds its card.
  usePrefs.getState().setAnswer(key, { ...draft, sent: { clientId, ...said } });
  patch(key, { busy: true, problem: undefined, note: undefined });
  try {
    const receipt = await send(clientId);
    patchConversation(run, (had) => withFirstReceipt(had, { ...receipt, client_id: receipt.client_id ?? clientId }));
    patch(key, { busy: false });
  } catch (error) {
    refused(run, dialog, noted(error));
  }
}

function hasFailed(run: string, draft: AnswerDraft): boolean {
  const receipts = Object.values(useApp.getState().conversations[run]?.receipts ?? {});
  return receipts.some(({ client_id, status }) => client_id === draft.sent?.clientId && status === "failed");
}

function refused(run: string, dialog: Dialog, problem: ApiError): void {
  const key = answerKey(run, dialog.id);
  const { code, message, hint } = problem;
  const over = code === "no_dialog" || (code === "dialog_changed" && problem.dialog?.id !== dialog.id);
  if (!over) return patch(key, { busy: false, problem: { message, hint } });
  const draft = unsent(key);
  const words = leftover(draft);
  const current = problem.dialog;
  // Asked again under another name: everything goes along.
  const same = current !== undefined && shapeOf(current) === shapeOf(dialog);
  if (current) {
    const next = answerKey(run, current.id);
    if (same && draft) usePrefs.getState().setAnswer(next, { ...draft, ...(draft.dialog ? { dialog: current } : {}) });
    patch(next, { note: { kind: same ? "moved" : "changed", words: same ? "" : words } });
    usePrefs.getState().forgetAnswers([key]);
  }
  const approval = dialog.kind === "approval" && current === undefined;
  const note = same ? undefined : ({ kind: "elsewhere", words: "", dialog: approval ? dialog : undefined } as const);
  patch(key, { busy: false, problem: undefined, note });
  patchConversation(run, (had) => {
    const others = had.pendingDialogs.filter(({ id }) => id !== dialog.id);
    const known = current === undefined || others.some(({ id }) => id === current.id);
    return withPending(had, known ? others : [...others, current]);
  });
}

/** The draft, with what was handed over taken back: the server did not take it. */
function unsent(key: string): AnswerDraft | undefined {
  const { answers, setAnswer } = usePrefs.getState();
  const had = answers[key];
  if (!had) return undefined;
  const { sent: _, ...draft } = had;
  setAnswer(key, draft);
  return draft;
}
