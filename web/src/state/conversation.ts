/**
 * One conversation, as the server told it. Pure: value in, value out. A snapshot
 * is the truth for the part that it covers; changes after it are keyed by position,
 * and an older revision of a message never overwrites a newer one.
 */
import type { Change } from "../api/events.ts";
import type { ContextUsage, Dialog, Epoch, Message, QueuedReply, Receipt, Snapshot } from "../api/schema.ts";
import { comparePositions, findPosition } from "./position.ts";

export type Conversation = {
  epoch: string;
  epochs: Epoch[];
  messages: readonly Message[];
  hasMore: boolean;
  transcript: Snapshot["transcript"];
  pendingDialogs: Dialog[];
  /** The ids of the dialogs that this page has seen waiting. */
  watched: readonly string[];
  queued: QueuedReply[];
  receipts: Record<string, Receipt>;
  tail: string | null;
  context: ContextUsage | undefined;
};

export function fromSnapshot(snapshot: Snapshot, before?: Conversation): Conversation {
  const messages = snapshot.messages.toSorted((a, b) => comparePositions(a.position, b.position));
  const older = before?.epoch === snapshot.epoch ? stillConnected(before.messages, messages, snapshot.has_more) : [];
  return {
    epoch: snapshot.epoch,
    epochs: snapshot.epochs,
    messages: older.length > 0 ? [...older, ...messages] : messages,
    hasMore: older.length > 0 && before ? before.hasMore : snapshot.has_more,
    transcript: snapshot.transcript,
    pendingDialogs: snapshot.pending_dialogs,
    watched: withWatched(before?.watched ?? [], snapshot.pending_dialogs),
    queued: snapshot.queued,
    receipts: Object.fromEntries(snapshot.receipts.map((receipt) => [receipt.id, receipt])),
    tail: snapshot.tail?.text ?? null,
    context: snapshot.context_usage,
  };
}

function withWatched(had: readonly string[], dialogs: readonly Dialog[]): readonly string[] {
  const fresh = dialogs.map(({ id }) => id).filter((id) => !had.includes(id));
  return fresh.length > 0 ? [...had, ...fresh] : had;
}

/** The dialogs that wait, as the server told them. */
export function withPending(conversation: Conversation, pendingDialogs: Dialog[]): Conversation {
  return { ...conversation, pendingDialogs, watched: withWatched(conversation.watched, pendingDialogs) };
}

/** Messages that we have from before the snapshot's first one, unless there is a gap between the two. */
export function stillConnected(had: readonly Message[], page: readonly Message[], hasMore: boolean): readonly Message[] {
  const first = page[0];
  if (!first || !hasMore) return [];
  const { index, found } = findPosition(had, first.position);
  return found ? had.slice(0, index) : [];
}

export function upsert(messages: readonly Message[], message: Message): readonly Message[] {
  const { index, found } = findPosition(messages, message.position);
  if (found && (messages[index]?.revision ?? 0) > message.revision) return messages;
  return found ? messages.with(index, message) : messages.toSpliced(index, 0, message);
}

/** The whole form of a message that was cut for the wire. A newer form that came meanwhile stays. */
export function withWhole(conversation: Conversation, message: Message): Conversation {
  return { ...conversation, messages: upsert(conversation.messages, { ...message, cut: false }) };
}

export function withOlder(conversation: Conversation, page: Snapshot): Conversation {
  if (page.epoch !== conversation.epoch) return conversation;
  const messages = page.messages.reduce<readonly Message[]>((all, message) => {
    const { found } = findPosition(all, message.position);
    return found ? all : upsert(all, message);
  }, conversation.messages);
  // A page without anything new can't be asked for again and again.
  return { ...conversation, messages, hasMore: page.has_more && messages.length > conversation.messages.length };
}

/** A receipt from an answer to a request: the stream may have told a later one already. */
export function withFirstReceipt(conversation: Conversation, receipt: Receipt): Conversation {
  if (conversation.receipts[receipt.id]) return conversation;
  return { ...conversation, receipts: { ...conversation.receipts, [receipt.id]: receipt } };
}

export function applyChange(conversation: Conversation, change: Change): Conversation {
  switch (change.name) {
    case "message.upsert": {
      if (change.epoch !== conversation.epoch) return conversation;
      const messages = upsert(conversation.messages, change.message);
      return { ...conversation, messages, transcript: "available" };
    }
    case "receipt":
      return { ...conversation, receipts: { ...conversation.receipts, [change.receipt.id]: change.receipt } };
    case "dialog.changed":
      return withPending(conversation, change.pending_dialogs);
    case "queue.changed":
      return { ...conversation, queued: change.queued };
    case "tail.changed":
      if (change.epoch !== conversation.epoch) return conversation;
      return { ...conversation, tail: change.tail?.text ?? null };
    case "run.changed":
      return change.run.context_usage ? { ...conversation, context: change.run.context_usage } : conversation;
    default:
      return conversation;
  }
}
