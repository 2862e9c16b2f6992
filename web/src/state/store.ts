/** What the server said, and nothing that it did not say. Written by state/live.ts only. */
import { create } from "zustand";
import { subscribeWithSelector } from "zustand/middleware";
import type { Change } from "../api/events.ts";
import type { StreamStatus } from "../api/stream.ts";
import type { Provider, Run } from "../api/schema.ts";
import type { Answering } from "./answers.ts";
import { applyChange, type Conversation } from "./conversation.ts";
import type { Queueing } from "./queue.ts";
import type { Thread } from "./thread.ts";

export type Session = "unknown" | "in" | "out";

export type AppState = {
  session: Session;
  connection: StreamStatus;
  providers: Provider[] | null;
  runs: Record<string, Run> | null;
  conversations: Record<string, Conversation>;
  /** Why a conversation could not be read, by run. */
  failures: Record<string, string>;
  /** Earlier epochs that were opened and conversations of subagents, by `threadKey`. */
  threads: Record<string, Thread>;
  /** What happens to an answer right now, and what the server said to it, by `answerKey`. */
  answering: Record<string, Answering>;
  /** What a person does with held replies, by run. */
  queueing: Record<string, Queueing>;
};

export const initialState: AppState = {
  session: "unknown",
  connection: "connecting",
  providers: null,
  runs: null,
  conversations: {},
  failures: {},
  threads: {},
  answering: {},
  queueing: {},
};

export const useApp = create<AppState>()(subscribeWithSelector(() => initialState));

/** Many changes, one write: a frame's worth of news draws once. */
export function applyChanges(state: AppState, changes: readonly Change[]): Partial<AppState> {
  let { runs, conversations } = state;
  for (const change of changes) {
    if (change.name === "run.changed") runs = { ...runs, [change.run.id]: change.run };
    if (change.name === "run.removed") {
      const gone = change.id;
      runs = Object.fromEntries(Object.entries(runs ?? {}).filter(([key]) => key !== gone));
    }
    const id = change.name === "run.changed" ? change.run.id : "run_id" in change ? change.run_id : undefined;
    const had = id === undefined ? undefined : conversations[id];
    if (id === undefined || !had) continue;
    const next = applyChange(had, change);
    if (next !== had) conversations = { ...conversations, [id]: next };
  }
  return {
    ...(runs === state.runs ? {} : { runs }),
    ...(conversations === state.conversations ? {} : { conversations }),
  };
}
