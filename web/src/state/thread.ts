/**
 * A conversation beside the one that is followed: an earlier epoch, or what a subagent did.
 * It is read in pages and only to be read. Pure.
 */
import type { Message, ThreadPage } from "../api/schema.ts";
import { stillConnected, upsert, type Conversation } from "./conversation.ts";
import { comparePositions, findPosition } from "./position.ts";

export type Failure = { message: string; hint: string | undefined };

export type Thread = {
  messages: readonly Message[];
  hasMore: boolean;
  /** At least one page has come. */
  read: boolean;
  busy: "" | "newest" | "older";
  transcript: ThreadPage["transcript"];
  failure: Failure | undefined;
};

export const noThread: Thread = { messages: [], hasMore: false, read: false, busy: "", transcript: "available", failure: undefined };

const order = (messages: readonly Message[]) => messages.toSorted((a, b) => comparePositions(a.position, b.position));

/** The same words are the same object, so that a page that is read again draws nothing twice. */
function kept(had: readonly Message[], message: Message): Message {
  const { index, found } = findPosition(had, message.position);
  const old = found ? had[index] : undefined;
  return old && JSON.stringify(old) === JSON.stringify(message) ? old : message;
}

export function withNewest(thread: Thread, page: ThreadPage): Thread {
  const messages = order(page.messages).map((message) => kept(thread.messages, message));
  const older = stillConnected(thread.messages, messages, page.has_more);
  return {
    messages: [...older, ...messages],
    hasMore: older.length > 0 ? thread.hasMore : page.has_more,
    read: true,
    busy: "",
    transcript: page.transcript,
    failure: undefined,
  };
}

export function withOlderPage(thread: Thread, page: ThreadPage): Thread {
  const fresh = order(page.messages).filter((message) => !findPosition(thread.messages, message.position).found);
  // A page without anything new can't be asked for again and again.
  const messages = fresh.length > 0 ? order([...fresh, ...thread.messages]) : thread.messages;
  return { ...thread, messages, hasMore: page.has_more && fresh.length > 0, busy: "", failure: undefined };
}

export const withFailure = (thread: Thread, failure: Failure): Thread => ({ ...thread, busy: "", failure });

export const withWholeOf = (thread: Thread, message: Message): Thread => ({
  ...thread,
  messages: upsert(thread.messages, { ...message, cut: false }),
});

/** A thread as rows want it: nobody is asked anything there, and nothing is on its way. */
export function asConversation(thread: Thread, epoch: string): Conversation {
  return {
    epoch,
    epochs: [],
    messages: thread.messages,
    hasMore: thread.hasMore,
    transcript: thread.transcript,
    pendingDialogs: [],
    watched: [],
    queued: [],
    receipts: {},
    tail: null,
    context: undefined,
  };
}

export const threadKey = {
  epoch: (run: string, epoch: string) => `${run}|epoch|${epoch}`,
  agent: (run: string, agent: string) => `${run}|agent|${agent}`,
};

/** The opened epochs of one run, by their ids. */
export function epochsOf(threads: Readonly<Record<string, Thread>>, run: string): Record<string, Thread> {
  const prefix = threadKey.epoch(run, "");
  return Object.fromEntries(
    Object.entries(threads).flatMap(([key, thread]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), thread]] : [])),
  );
}
