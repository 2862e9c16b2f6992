/** Joins the API to the store: signs in, follows the stream, opens runs, sends what a person says. */
import { client, type NewRun } from "../api/client.ts";
import { readChange, type Change } from "../api/events.ts";
import { ApiError, asApiError } from "../api/http.ts";
import { follow } from "../api/stream.ts";
import type { CommandSpec, Run, SendWhen } from "../api/schema.ts";
import { fromSnapshot, withFirstReceipt, withOlder, withWhole, type Conversation } from "./conversation.ts";
import { doneAnswers } from "./answers.ts";
import { settled } from "./outbox.ts";
import { usePrefs } from "./prefs.ts";
import { leftMeanwhile, reworded } from "./queue.ts";
import { readToken } from "./route.ts";
import { mergeRuns } from "./runs.ts";
import { applyChanges, initialState, useApp } from "./store.ts";

let stopStream: (() => void) | undefined;
let openRun: string | undefined;
let opening: AbortController | undefined;
let waiting: Change[] = [];
let scheduled = false;
/** Runs that changed while the list was on its way. */
let changedMeanwhile = new Set<string>();

export const patchConversation = (id: string, change: (conversation: Conversation) => Conversation) =>
  useApp.setState(({ conversations }) => {
    const had = conversations[id];
    return had ? { conversations: { ...conversations, [id]: change(had) } } : {};
  });

const without = <T>(record: Record<string, T>, gone: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== gone));

function signedOut(): void {
  stopStream?.();
  stopStream = undefined;
  useApp.setState({ ...initialState, session: "out" });
}

/** Passes an error on, after noting that the session is over if that is what it says. */
export function noted(error: unknown): ApiError {
  const problem = asApiError(error);
  if (problem.status === 401) signedOut();
  return problem;
}

export async function start(): Promise<void> {
  const link = readToken(location.hash);
  if (link) {
    // The token leaves the address bar before anything else can read or keep it.
    history.replaceState(history.state, "", location.pathname + location.search + link.rest);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
    const refused = await client.signIn(link.token).then(() => false, (error: unknown) => asApiError(error).status !== 0);
    if (refused) return signedOut();
  }
  await enter();
}

/** A link with a token that is opened in this very tab only changes the fragment. */
export function followLinks(): void {
  window.addEventListener("hashchange", () => {
    if (readToken(location.hash)) void start();
  });
}

export async function signIn(token: string): Promise<void> {
  await client.signIn(token);
  await enter();
}

async function enter(): Promise<void> {
  useApp.setState({ session: "in", connection: "connecting" });
  if (openRun === undefined) listen(undefined);
  await Promise.all([readRuns(), readProviders(), open(openRun)]);
}

async function readProviders(): Promise<void> {
  await client.providers().then((providers) => useApp.setState({ providers }), noted);
}

async function readRuns(): Promise<void> {
  changedMeanwhile = new Set();
  await client.runs().then((listed) => {
    const changed = changedMeanwhile;
    useApp.setState(({ runs }) => ({ runs: mergeRuns(runs ?? {}, listed, changed) }));
  }, noted);
}

function listen(cursor: string | undefined): void {
  stopStream?.();
  // Changes that the old connection brought are older than the snapshot that starts the new one.
  stopStream = follow({
    run: openRun,
    cursor,
    onFresh: () => {
      void readRuns();
      if (useApp.getState().providers === null) void readProviders();
    },
    onStatus: (connection) => {
      if (connection === "signed_out") return signedOut();
      useApp.setState({ connection });
      // The server is back: what could not be read before is read now.
      if (connection === "live" && openRun && useApp.getState().failures[openRun] !== undefined) void open(openRun);
      return undefined;
    },
    onEvent: (name, data) => {
      const change = readChange(name, data);
      if (change) receive(change);
    },
  });
}

function receive(change: Change): void {
  if (change.name === "heartbeat") return;
  if (change.name === "resync") {
    if (!change.run) void readRuns();
    if (openRun && (!change.run || change.run === openRun)) void open(openRun);
    return;
  }
  if (change.name === "run.changed") changedMeanwhile.add(change.run.id);
  if (change.name === "run.removed") changedMeanwhile.add(change.id);
  if (change.name === "epoch.changed" && change.run_id === openRun) void open(openRun);
  waiting.push(change);
  if (scheduled) return;
  scheduled = true;
  // A hidden tab has no frames, so time runs beside them.
  const timer = setTimeout(flush, 120);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    flush();
  });
}

function flush(): void {
  scheduled = false;
  if (waiting.length === 0) return;
  const changes = waiting;
  waiting = [];
  useApp.setState((state) => applyChanges(state, changes));
  if (openRun) tidy(openRun);
}

function tidy(id: string): void {
  const conversation = useApp.getState().conversations[id];
  if (!conversation) return;
  const { sent, answers, forget, forgetAnswers, remember } = usePrefs.getState();
  const had = useApp.getState().queueing[id];
  const left = had && leftMeanwhile(had, conversation);
  if (left !== had && left) useApp.setState(({ queueing }) => ({ queueing: { ...queueing, [id]: left } }));
  for (const [name, text] of Object.entries(reworded(conversation, sent))) {
    const own = sent[name];
    if (own) remember(name, { ...own, text });
  }
  const done = settled(conversation, sent, id, Date.now());
  if (done.length > 0) forget(done);
  const over = doneAnswers(conversation, answers, id);
  if (over.length > 0) forgetAnswers(over);
}

/** Shows a run: its snapshot first, then every change after the place where the snapshot ended. */
export async function open(id: string | undefined): Promise<void> {
  opening?.abort();
  const changed = openRun !== id;
  openRun = id;
  if (id === undefined || useApp.getState().session !== "in") return;
  const controller = new AbortController();
  opening = controller;
  if (changed) useApp.setState(({ failures }) => ({ failures: without(failures, id) }));
  try {
    const snapshot = await client.snapshot(id, controller.signal);
    if (controller.signal.aborted) return;
    flush();
    useApp.setState(({ conversations, failures }) => ({
      failures: without(failures, id),
      conversations: { ...conversations, [id]: fromSnapshot(snapshot, conversations[id]) },
    }));
    tidy(id);
    listen(snapshot.cursor);
  } catch (error) {
    if (controller.signal.aborted) return;
    const problem = noted(error);
    if (problem.status !== 401 && !stopStream) listen(undefined);
    useApp.setState(({ failures }) => ({ failures: { ...failures, [id]: problem.message } }));
  }
}

const reading = new Map<string, Promise<void>>();

/** The page before the oldest message that is loaded. One request at a time for each run. */
export function readOlder(id: string): Promise<void> {
  const conversation = useApp.getState().conversations[id];
  const first = conversation?.messages[0];
  if (!conversation?.hasMore || !first) return Promise.resolve();
  const current = reading.get(id);
  if (current) return current;
  const request = client
    .older(id, conversation.epoch, first.position)
    .then((page) => patchConversation(id, (had) => withOlder(had, page)), noted)
    .then(() => undefined)
    .finally(() => reading.delete(id));
  reading.set(id, request);
  return request;
}

export async function readWhole(id: string, position: string): Promise<void> {
  const message = await client.whole(id, position).catch((error: unknown) => Promise.reject(noted(error)));
  patchConversation(id, (had) => withWhole(had, message));
}

/** Hands a text to the server. The same client id twice is one reply. */
export async function reply(id: string, text: string, clientId: string, when: SendWhen = "now"): Promise<void> {
  const receipt = await client.reply(id, text, clientId, when).catch((error: unknown) => Promise.reject(noted(error)));
  usePrefs.getState().remember(clientId, { run: id, text, at: Date.now() });
  patchConversation(id, (had) => withFirstReceipt(had, { ...receipt, client_id: receipt.client_id ?? clientId }));
  tidy(id);
}

/** The id of the receipt that tells what became of it. */
export async function interrupt(id: string): Promise<string> {
  const receipt = await client.interrupt(id).catch((error: unknown) => Promise.reject(noted(error)));
  patchConversation(id, (had) => withFirstReceipt(had, receipt));
  return receipt.id;
}

export async function stop(id: string, force: boolean): Promise<void> {
  await client.stop(id, force).catch((error: unknown) => Promise.reject(noted(error)));
}

/** Starts an ended run again; the stream tells the rest. */
export async function resume(id: string): Promise<void> {
  await client.resume(id).catch((error: unknown) => Promise.reject(noted(error)));
}

export const commands = (id: string): Promise<CommandSpec[]> => client.commands(id);

export async function startRun(wanted: NewRun): Promise<Run> {
  const run = await client.startRun(wanted).catch((error: unknown) => Promise.reject(noted(error)));
  useApp.setState(({ runs }) => ({ runs: { ...runs, [run.id]: runs?.[run.id] ?? run } }));
  return run;
}

export async function attachCommand(id: string): Promise<string> {
  const known = useApp.getState().runs?.[id]?.attach?.command;
  return client.attach(id).then(
    ({ command }) => command,
    (error: unknown) => known ?? Promise.reject(noted(error)),
  );
}
