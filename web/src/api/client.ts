/** The routes of the API that this page calls, one function each. */
import { deleteFor, get, patchFor, postFor, postOnly, url } from "./http.ts";
import { attachSchema, auditSchema, messageSchema, providersSchema, receiptSchema, runSchema, runsSchema, snapshotSchema, threadSchema, type Answer, type NewRun, type QueueEdit, type SendWhen } from "./schema.ts";

export type { NewRun, QueueEdit } from "./schema.ts";

const run = (id: string) => `runs/${encodeURIComponent(id)}`;
const held = (id: string, entry: string) => url(`${run(id)}/queue/${encodeURIComponent(entry)}`);

export const PAGE = 100;
/** A card within the conversation begins with less. */
export const SMALL_PAGE = 40;

export const client = {
  signIn: (token: string) => postOnly(url("session"), { token }),
  providers: async () => (await get(url("providers"), providersSchema)).providers,
  runs: async () => (await get(url("runs"), runsSchema)).runs,
  startRun: (wanted: NewRun) => postFor(url("runs"), wanted, runSchema),
  stop: (id: string, force: boolean) => postOnly(url(`${run(id)}/stop`), force ? { force } : {}),
  resume: (id: string) => postFor(url(`${run(id)}/resume`), {}, runSchema),
  snapshot: (id: string, signal?: AbortSignal) => get(url(`${run(id)}/messages`, { limit: PAGE }), snapshotSchema, signal),
  older: (id: string, epoch: string, before: string) =>
    get(url(`${run(id)}/messages`, { epoch, before, limit: PAGE }), snapshotSchema),
  /** A page of an earlier epoch: the newest one, or the one before a position. */
  earlier: (id: string, epoch: string, before?: string) =>
    get(url(`${run(id)}/messages`, { epoch, before, limit: PAGE }), threadSchema),
  subagent: (id: string, agent: string, before?: string) =>
    get(url(`${run(id)}/subagents/${encodeURIComponent(agent)}/messages`, { before, limit: SMALL_PAGE }), threadSchema),
  whole: (id: string, position: string, epoch?: string) => get(url(`${run(id)}/messages/${position}`, { epoch }), messageSchema),
  wholeOfSubagent: (id: string, agent: string, position: string) =>
    get(url(`${run(id)}/subagents/${encodeURIComponent(agent)}/messages/${position}`), messageSchema),
  reply: (id: string, text: string, client_id: string, when: SendWhen) =>
    postFor(url(`${run(id)}/reply`), { text, client_id, when }, receiptSchema),
  editHeld: (id: string, entry: string, change: QueueEdit) => patchFor(held(id, entry), change, receiptSchema),
  cancelHeld: (id: string, entry: string) => deleteFor(held(id, entry), receiptSchema),
  audit: async (id: string, signal?: AbortSignal) => (await get(url(`${run(id)}/audit`), auditSchema, signal)).entries,
  answer: (id: string, dialog_id: string, answers: Answer[], client_id: string) =>
    postFor(url(`${run(id)}/answer`), { dialog_id, answers, client_id }, receiptSchema),
  /** No answer yet: the person wants to talk about it first. The words may be empty. */
  discuss: (id: string, dialog_id: string, discuss: string, client_id: string) =>
    postFor(url(`${run(id)}/answer`), { dialog_id, discuss, client_id }, receiptSchema),
  interrupt: (id: string) => postFor(url(`${run(id)}/interrupt`), {}, receiptSchema),
  attach: (id: string) => get(url(`${run(id)}/attach`), attachSchema),
};

export type Client = typeof client;
