/** The way to one message, wherever it stands: page by page back to it, through earlier conversations if it must be. */
import type { Message } from "../api/schema.ts";
import { chain } from "./chain.ts";
import type { Conversation } from "./conversation.ts";
import { readOlder } from "./live.ts";
import { comparePositions, findPosition } from "./position.ts";
import type { Target } from "./route.ts";
import type { Row } from "./rows.ts";
import { useApp } from "./store.ts";
import { epochsOf, threadKey, type Thread } from "./thread.ts";
import { olderOfEpoch, readEpoch } from "./threads.ts";

export type Step = { do: "here" } | { do: "missing" } | { do: "older" } | { do: "open" | "epoch"; epoch: string };

/** Where it is in one part, or whether it can still be further up. */
function look(messages: readonly Message[], position: string, hasMore: boolean): "here" | "missing" | "above" {
  if (findPosition(messages, position).found) return "here";
  const first = messages[0];
  return hasMore && (!first || comparePositions(position, first.position) < 0) ? "above" : "missing";
}

/** What has to be read next. Parts are read in their order, since each stands above the one that follows it. Pure. */
export function stepTo(conversation: Conversation, earlier: Readonly<Record<string, Thread>>, { epoch, position }: Target): Step {
  if (epoch === conversation.epoch) {
    const where = look(conversation.messages, position, conversation.hasMore);
    return where === "above" ? { do: "older" } : { do: where };
  }
  if (!conversation.epochs.some(({ id }) => id === epoch)) return { do: "missing" };
  if (conversation.hasMore) return { do: "older" };
  for (const { previous, thread } of chain(conversation, earlier)) {
    const { id } = previous;
    if (!thread?.read) return thread?.failure ? { do: "missing" } : { do: "open", epoch: id };
    if (thread.failure) return { do: "missing" };
    const where = id === epoch ? look(thread.messages, position, thread.hasMore) : thread.hasMore ? "above" : "passed";
    if (where === "above") return { do: "epoch", epoch: id };
    if (where !== "passed") return { do: where };
  }
  return { do: "missing" };
}

/** Reads on until it is there. False if it is nowhere, or if nothing more can be read. */
export async function findMessage(run: string, target: Target, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const { conversations, threads } = useApp.getState();
    const conversation = conversations[run];
    if (!conversation || signal.aborted) return false;
    const step = stepTo(conversation, epochsOf(threads, run), target);
    if (step.do === "here") return true;
    if (step.do === "missing") return false;
    if (step.do === "older") {
      await readOlder(run);
      if (useApp.getState().conversations[run] === conversation) return false;
      continue;
    }
    const key = threadKey.epoch(run, step.epoch);
    await (step.do === "open" ? readEpoch : olderOfEpoch)(run, step.epoch);
    if (useApp.getState().threads[key] === threads[key]) return false;
  }
}

/** The row in which a message stands; or the fold that has to be opened for it. Pure. */
export function rowOf(rows: readonly Row[], { epoch, position }: Target): { row?: string; fold?: string } {
  const own = rows.filter((row) => row.epoch === epoch);
  const row = own.find((one) => {
    if (one.type === "tools") return one.messages.some((message) => message.position === position);
    return "message" in one ? one.message.position === position : one.type === "dialog" && one.key.split("/").at(-1) === position;
  });
  if (row) return { row: row.key };
  const fold = own.find((one) => one.type === "fold" && !one.open && comparePositions(one.key.split("fold:").at(-1) ?? "0.0", position) >= 0);
  return fold ? { fold: fold.key } : {};
}
