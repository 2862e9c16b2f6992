/**
 * Texts between "handed to the server" and "in the agent's record". The server's
 * receipts say how far each one is; the texts are ours. Pure.
 */
import type { Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";
import { findPosition } from "./position.ts";
import type { Sent } from "./prefs.ts";
import { isHeld } from "./queue.ts";

export type Pending = {
  clientId: string;
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

/** The bubbles under the conversation, oldest first. What is held stands in the queue, and only there. */
export function pendingReplies(conversation: Conversation, sent: Record<string, Sent>, run: string): Pending[] {
  return Object.entries(sent)
    .filter(([, one]) => one.run === run)
    .toSorted(([, a], [, b]) => a.at - b.at)
    .flatMap(([clientId, one]) => {
      const receipt = receiptOf(conversation, clientId);
      if (isHeld(conversation.queued, receipt) || (receipt && arrived(conversation, receipt))) return [];
      return [{ clientId, text: one.text, status: receipt?.status ?? "accepted", detail: receipt?.detail }];
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
