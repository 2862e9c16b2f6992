/** The epochs of a run, from the current one back, as far as a person opened them. Pure. */
import type { Epoch, Message } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";
import type { Thread } from "./thread.ts";

/** Where one epoch began and the one before it ended. */
export type Link = { began: Epoch | undefined; previous: Epoch; thread: Thread | undefined };

/**
 * The knots that stand in the conversation, newest first. A knot is known once everything after it is
 * loaded; what stands before it is there once it was opened and read.
 */
export function chain(conversation: Conversation, earlier: Readonly<Record<string, Thread>>): Link[] {
  const { epochs, epoch } = conversation;
  const links: Link[] = [];
  const seen = new Set([epoch]);
  let at = epochs.findLastIndex(({ id }) => id === epoch);
  // An epoch that the list does not name yet is the newest.
  if (at < 0) at = epochs.length;
  let complete = !conversation.hasMore;
  while (complete && at > 0) {
    const began = epochs[at];
    // A run can come back to an epoch: each is shown once.
    do at -= 1;
    while (at >= 0 && seen.has(epochs[at]?.id ?? ""));
    const previous = epochs[at];
    if (!previous) break;
    seen.add(previous.id);
    const thread = earlier[previous.id];
    links.push({ began, previous, thread });
    complete = thread?.read === true && !thread.hasMore;
  }
  return links;
}

/** What stands at the very top, and whether more can be read above it. `epoch` is absent for the current one. */
export type Top = { epoch: string | undefined; hasMore: boolean; oldest: string | undefined };

export function topOf(conversation: Conversation, earlier: Readonly<Record<string, Thread>>): Top {
  const link = chain(conversation, earlier).findLast(({ thread }) => thread?.read === true);
  if (!link?.thread) return { epoch: undefined, hasMore: conversation.hasMore, oldest: conversation.messages[0]?.position };
  const oldest = `${link.previous.id}/${link.thread.messages[0]?.position ?? ""}`;
  return { epoch: link.previous.id, hasMore: link.thread.hasMore && link.thread.failure === undefined, oldest };
}

/** Neither said nor done by anyone: kept by the server, and shown only when a person asks for it. */
export const isHidden = (message: Message): boolean => {
  if (message.kind === "unknown") return true;
  if (message.kind !== "lifecycle") return false;
  const event = message.lifecycle?.event ?? "unknown";
  return event === "unknown" || event === "hidden";
};
