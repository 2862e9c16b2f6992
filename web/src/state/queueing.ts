/** What a person does with held replies. Nothing is shown ahead of the server: it may have sent one a moment ago. */
import { client, type QueueEdit } from "../api/client.ts";
import type { QueuedReply, Receipt } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { withFirstReceipt } from "./conversation.ts";
import { newClientId } from "./device.ts";
import { noted, patchConversation, reply } from "./live.ts";
import { usePrefs } from "./prefs.ts";
import { moved, unsaved, waitsForDecision, type Queueing } from "./queue.ts";
import { useApp } from "./store.ts";

const now = (run: string): Queueing => useApp.getState().queueing[run] ?? {};

function patch(run: string, change: Queueing): void {
  useApp.setState(({ queueing }) => ({ queueing: { ...queueing, [run]: { ...queueing[run], ...change } } }));
}

export const startEdit = (run: string, { id, text }: QueuedReply): void => patch(run, { editing: { id, text, was: text }, problem: undefined });
export const dropEdit = (run: string): void => patch(run, { editing: undefined, problem: undefined });
export const dismissQueueNote = (run: string): void => patch(run, { note: undefined });

export function typeEdit(run: string, text: string): void {
  const { editing } = now(run);
  if (editing) patch(run, { editing: { ...editing, text } });
}

/** One change at a time. False when it was not made; what the server said stands at the entry. */
async function attempt(run: string, id: string, request: () => Promise<Receipt>): Promise<boolean> {
  if (now(run).busy !== undefined) return false;
  patch(run, { busy: id, problem: undefined });
  try {
    const receipt = await request();
    patchConversation(run, (had) => withFirstReceipt(had, receipt));
    patch(run, { busy: undefined });
    return true;
  } catch (error) {
    const { code, message, hint } = noted(error);
    const { editing } = now(run);
    const late = code === "already_sent" || code === "entry_not_found";
    const open = editing?.id === id ? undefined : editing;
    if (late) patch(run, { busy: undefined, editing: open, note: { kind: code === "already_sent" ? "sent" : "gone", words: open ? "" : unsaved(editing) } });
    else patch(run, { busy: undefined, problem: { id, message, hint } });
    return false;
  }
}

const edit = (run: string, id: string, wanted: QueueEdit) => attempt(run, id, () => client.editHeld(run, id, wanted));

export async function saveEdit(run: string): Promise<void> {
  const { editing } = now(run);
  if (!editing || editing.text.trim() === "") return;
  if (unsaved(editing) === "") return dropEdit(run);
  if (await edit(run, editing.id, { text: editing.text.trim() })) dropEdit(run);
}

/** As soon as the agent can take it; over a draft or into this conversation, if that is what it waits for. */
export async function sendHeld(run: string, entry: QueuedReply): Promise<void> {
  const done = await edit(run, entry.id, { when: "now" });
  if (done && entry.cause === "draft") patch(run, { forced: [...(now(run).forced ?? []), entry.id] });
}

export async function move(run: string, id: string, step: -1 | 1): Promise<void> {
  const to = moved(useApp.getState().conversations[run]?.queued ?? [], id, step);
  if (to && (await edit(run, id, { before: to.before }))) patch(run, { said: strings.queue.moved(to.place, to.of) });
}

export async function remove(run: string, entry: QueuedReply): Promise<void> {
  const { queued = [], receipts = {} } = useApp.getState().conversations[run] ?? {};
  const { sent, forget, remember } = usePrefs.getState();
  const name = receipts[entry.id]?.client_id ?? "";
  const own = sent[name];
  const next = queued[queued.findIndex(({ id }) => id === entry.id) + 1]?.id ?? null;
  // Else it would stand in the conversation for a moment, as one that failed.
  if (own) forget([name]);
  if (await attempt(run, entry.id, () => client.cancelHeld(run, entry.id))) {
    const { editing } = now(run);
    patch(run, { note: { kind: "removed", entry, next }, ...(editing?.id === entry.id ? { editing: undefined } : {}) });
  } else if (own) remember(name, own);
}

/** Holds it again, at its old place. One that a person has to decide about is never sent by this. */
export async function undo(run: string): Promise<void> {
  const { note } = now(run);
  if (note?.kind !== "removed" || waitsForDecision(note.entry)) return;
  const { text, when, id } = note.entry;
  const clientId = newClientId();
  patch(run, { busy: id, problem: undefined });
  try {
    await reply(run, text, clientId, when === "after_turn" ? when : "now");
    patch(run, { busy: undefined, note: undefined });
  } catch (error) {
    const { message, hint } = noted(error);
    return patch(run, { busy: undefined, problem: { id, message, hint } });
  }
  const { receipts = {}, queued = [] } = useApp.getState().conversations[run] ?? {};
  const again = Object.values(receipts).find(({ client_id }) => client_id === clientId);
  // It may be sent by now, and the one behind it too: then there is no place to keep.
  if (again && note.next !== null && queued.some((entry) => entry.id === note.next)) await client.editHeld(run, again.id, { before: note.next }).catch(noted);
}
