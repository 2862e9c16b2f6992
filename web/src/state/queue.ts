/**
 * The replies that the server holds, and what a person does with them here. The order,
 * the texts and the reasons are the server's. Pure.
 */
import type { QueuedReply, Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";
import type { Sent } from "./prefs.ts";

/** What is to be said about an entry that is no longer there. */
export type QueueNote =
  /** Taken out here. `next` stood behind it. */
  | { kind: "removed"; entry: QueuedReply; next: string | null }
  /** It left while it was being changed, or too late for it. `words` did not go along. */
  | { kind: "sent" | "gone"; words: string };

export type Editing = { id: string; text: string; was: string };

export type Queueing = {
  /** The entry that something is being done with. */
  busy?: string | undefined;
  editing?: Editing | undefined;
  problem?: { id: string; message: string; hint: string | undefined } | undefined;
  note?: QueueNote | undefined;
  /** Those that a person sent anyway: it can't be said twice. */
  forced?: readonly string[];
  /** For those who can't see what moved. */
  said?: string;
};

/** A person has to decide: they stand aside until then, and the others pass. */
export const waitsForDecision = ({ cause }: QueuedReply): boolean => cause === "epoch" || cause === "doubt";

/** Where an entry goes, by one place: before which one, or null for the end. Undefined if there is no such place. */
export function moved(queued: readonly QueuedReply[], id: string, step: -1 | 1): { before: string | null; place: number; of: number } | undefined {
  const line = queued.filter((entry) => !waitsForDecision(entry));
  const at = line.findIndex((entry) => entry.id === id);
  const to = at + step;
  if (at < 0 || to < 0 || to >= line.length) return undefined;
  const before = line[step < 0 ? to : to + 1]?.id ?? null;
  return { before, place: to + 1, of: line.length };
}

/** What "send now" would change for an entry; undefined if nothing. */
export function canSend(entry: QueuedReply, forced: readonly string[] = []): "here" | "anyway" | "now" | undefined {
  if (waitsForDecision(entry)) return "here";
  if (entry.cause === "draft") return forced.includes(entry.id) ? undefined : "anyway";
  return entry.when === "after_turn" ? "now" : undefined;
}

/** The words in the editor that stand nowhere else. */
export const unsaved = (editing: Editing | undefined): string => (editing && editing.text.trim() !== editing.was.trim() ? editing.text : "");

/** An entry that is being changed may go out meanwhile. Then the editor closes, and its words are kept. */
export function leftMeanwhile(queueing: Queueing, { queued, receipts }: Conversation): Queueing {
  const { editing } = queueing;
  if (!editing || queued.some(({ id }) => id === editing.id)) return queueing;
  const kind = receipts[editing.id]?.status === "failed" ? "gone" : "sent";
  return { ...queueing, editing: undefined, note: { kind, words: unsaved(editing) } };
}

/** Texts of this browser that were changed while they were held, by their client ids. */
export function reworded({ queued, receipts }: Conversation, sent: Record<string, Sent>): Record<string, string> {
  return Object.fromEntries(
    queued.flatMap(({ id, text }) => {
      const client = receipts[id]?.client_id;
      const own = client === undefined ? undefined : sent[client];
      return client !== undefined && own && own.text !== text ? [[client, text]] : [];
    }),
  );
}

export const isHeld = (queued: readonly QueuedReply[], receipt: Receipt | undefined): boolean =>
  receipt !== undefined && queued.some(({ id }) => id === receipt.id);
