/**
 * Texts between "handed to the server" and "in the agent's record". The server's
 * receipts say how far each one is; the texts are ours. Pure.
 */
import type { QueuedReply, Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";
import { findPosition } from "./position.ts";
import type { Sent } from "./prefs.ts";

export type Pending = {
  clientId: string;
  /** The id of its receipt, once the server has given one: also the id under which it is held. */
  receipt: string | undefined;
  text: string;
  status: Receipt["status"];
  detail: string | undefined;
};

const receiptOf = (conversation: Conversation, clientId: string) =>
  Object.values(conversation.receipts).find((receipt) => receipt.client_id === clientId);

/** True when the record shows it: the bubble has done its work. */
function arrived(conversation: Conversation, receipt: Receipt): boolean {
  if (receipt.status !== "recorded") return false;
  return receipt.position === undefined || isLoaded(conversation, receipt.position);
}

function isLoaded(conversation: Conversation, position: string): boolean {
  const first = conversation.messages[0];
  // Older than what is loaded: it stands further up.
  if (first && conversation.hasMore && findPosition(conversation.messages, position).index === 0) return true;
  return findPosition(conversation.messages, position).found;
}

/** The bubbles under the conversation, oldest first. */
export function pendingReplies(conversation: Conversation, sent: Record<string, Sent>, run: string): Pending[] {
  return Object.entries(sent)
    .filter(([, one]) => one.run === run)
    .toSorted(([, a], [, b]) => a.at - b.at)
    .flatMap(([clientId, one]) => {
      const receipt = receiptOf(conversation, clientId);
      if (receipt && arrived(conversation, receipt)) return [];
      return [{ clientId, receipt: receipt?.id, text: one.text, status: receipt?.status ?? "accepted", detail: receipt?.detail }];
    });
}

/** What need not be remembered any more: recorded and in sight, or older than what the server still knows. */
export function settled(conversation: Conversation, sent: Record<string, Sent>, run: string, now: number): string[] {
  return Object.entries(sent).flatMap(([clientId, one]) => {
    if (one.run !== run) return [];
    const receipt = receiptOf(conversation, clientId);
    const lost = !receipt && now - one.at > 10 * 60_000;
    return lost || (receipt && arrived(conversation, receipt)) ? [clientId] : [];
  });
}

/** Held replies that no bubble shows already, such as those sent from another device. The text tells only while there is no receipt. */
export function heldElsewhere(queued: readonly QueuedReply[], pending: readonly Pending[]): QueuedReply[] {
  const shown = (entry: QueuedReply, one: Pending) =>
    one.receipt === undefined ? one.text.trim() === entry.text.trim() : one.receipt === entry.id;
  return queued.filter((entry) => !pending.some((one) => shown(entry, one)));
}
