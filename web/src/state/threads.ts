/** Reads threads: earlier epochs when a person opens them, and what subagents did while their card is open. */
import { client } from "../api/client.ts";
import type { ThreadPage } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { noted } from "./live.ts";
import { useApp } from "./store.ts";
import { noThread, threadKey, withFailure, withNewest, withOlderPage, withWholeOf, type Thread } from "./thread.ts";

const asked = new Map<string, Promise<void>>();

const known = (key: string) => useApp.getState().threads[key];

function patch(key: string, change: (thread: Thread) => Thread): void {
  useApp.setState(({ threads }) => ({ threads: { ...threads, [key]: change(threads[key] ?? noThread) } }));
}

/** One request at a time for each thread. What was closed meanwhile stays closed. */
function read(key: string, busy: "newest" | "older", request: () => Promise<ThreadPage>, failed: string): Promise<void> {
  const current = asked.get(key);
  if (current) return current;
  patch(key, (thread) => ({ ...thread, busy }));
  const merge = busy === "newest" ? withNewest : withOlderPage;
  const reading = request()
    .then(
      (page) => known(key) && patch(key, (thread) => merge(thread, page)),
      (error: unknown) => {
        const { message, hint, status } = noted(error);
        if (status !== 401 && known(key)) patch(key, (thread) => withFailure(thread, { message: message || failed, hint }));
      },
    )
    .then(() => undefined)
    .finally(() => asked.delete(key));
  asked.set(key, reading);
  return reading;
}

export const readEpoch = (run: string, epoch: string): Promise<void> =>
  read(threadKey.epoch(run, epoch), "newest", () => client.earlier(run, epoch), strings.knot.failed);

/** Closes epochs that were opened. */
export function closeEpochs(run: string, epochs: readonly string[]): void {
  const keys = new Set(epochs.map((epoch) => threadKey.epoch(run, epoch)));
  useApp.setState(({ threads }) => ({ threads: Object.fromEntries(Object.entries(threads).filter(([key]) => !keys.has(key))) }));
}

export const readSubagent = (run: string, agent: string): Promise<void> =>
  read(threadKey.agent(run, agent), "newest", () => client.subagent(run, agent), strings.subagent.failed);

function older(key: string, request: (before: string) => Promise<ThreadPage>, failed: string): Promise<void> {
  const thread = known(key);
  const first = thread?.messages[0]?.position;
  if (!thread?.hasMore || first === undefined) return Promise.resolve();
  return read(key, "older", () => request(first), failed);
}

export const olderOfEpoch = (run: string, epoch: string): Promise<void> =>
  older(threadKey.epoch(run, epoch), (before) => client.earlier(run, epoch, before), strings.knot.failed);

export const olderOfSubagent = (run: string, agent: string): Promise<void> =>
  older(threadKey.agent(run, agent), (before) => client.subagent(run, agent, before), strings.subagent.failed);

export async function readWholeOf(run: string, epoch: string, position: string): Promise<void> {
  const message = await client.whole(run, position, epoch).catch((error: unknown) => Promise.reject(noted(error)));
  patch(threadKey.epoch(run, epoch), (thread) => withWholeOf(thread, message));
}

export async function readWholeOfSubagent(run: string, agent: string, position: string): Promise<void> {
  const message = await client.wholeOfSubagent(run, agent, position).catch((error: unknown) => Promise.reject(noted(error)));
  patch(threadKey.agent(run, agent), (thread) => withWholeOf(thread, message));
}
