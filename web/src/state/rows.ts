/** Messages become rows: turns with a stitch, tool calls in groups, what is asked, what happened. Pure. */
import type { Dialog, Message, Receipt } from "../api/schema.ts";
import { chain, isHidden, type Link } from "./chain.ts";
import type { Conversation } from "./conversation.ts";
import type { Pending } from "./outbox.ts";
import { answersOf, leftToTerminal, noAnswers, proofs, type Answers } from "./proofs.ts";
import type { Failure, Thread } from "./thread.ts";

export type Speaker = "you" | "agent" | "ask" | "none";
export type KnotState = "closed" | "reading" | "open" | "failed";

export type Row = {
  key: string;
  /** The epoch that its messages are of. */
  epoch: string;
  speaker: Speaker;
  opens: boolean;
  nested: boolean;
  /** On a branch that a person rewound away from. */
  left: boolean;
  time: string | undefined;
} & (
  | { type: "text"; message: Message; receipt: Receipt | undefined }
  | { type: "thinking"; message: Message }
  | { type: "error"; message: Message }
  /** `answers`: what people answered to the permissions that the calls asked for. */
  | { type: "tools"; messages: readonly Message[]; answers: readonly Receipt[] }
  | {
      type: "dialog";
      dialog: Dialog;
      /** The same dialog as it waits now: the record does not know who can answer it. */
      asks: Dialog | undefined;
      live: boolean;
      /** Of the answer to it. */
      receipt: Receipt | undefined;
      /** A receipt says so; or it was seen waiting here, and no answer came through the server. */
      terminal: boolean;
    }
  | { type: "lifecycle"; message: Message }
  /** From here on prompts are said in another permission mode. */
  | { type: "mode"; mode: string }
  | { type: "record"; message: Message }
  | { type: "fold"; count: number; open: boolean }
  | { type: "knot"; reason: string; previous: string; state: KnotState; open: boolean; failure: Failure | undefined }
  | { type: "empty" }
  | { type: "start" }
  | { type: "tail"; text: string }
  | { type: "pending"; pending: Pending }
);

/** What a person chose to see beside the main line. */
export type View = {
  /** Hidden and unknown records too. */
  hidden: boolean;
  /** The keys of the folds that were opened. */
  folds: ReadonlySet<string>;
  /** The opened epochs, by their ids. */
  earlier: Readonly<Record<string, Thread>>;
  /** The subagent whose own conversation this is. */
  own?: string;
  /** Dialogs that no message keeps and of which there is still something to say. */
  kept?: readonly Dialog[];
};
export const plainView: View = { hidden: false, folds: new Set(), earlier: {} };

type Draft = Omit<Extract<Row, unknown>, "opens"> & Record<string, unknown>;

type Part = {
  epoch: string;
  prefix: string;
  receipts: ReadonlyMap<string, Receipt>;
  answers: Answers;
  /** The dialogs that wait, by id. */
  open: ReadonlyMap<string, Dialog>;
  /** The ids of dialogs that only the terminal can have answered, unless a receipt says otherwise. */
  terminal: ReadonlySet<string>;
  /** The keys of the groups of calls that were there before. */
  groups: ReadonlySet<string>;
  view: View;
};

/** Of a part in which nobody waits for anything. */
const nobody: Omit<Part, "epoch" | "prefix" | "groups" | "view"> = { receipts: new Map(), answers: noAnswers, open: new Map(), terminal: new Set() };
const none = { speaker: "none", nested: false, left: false, time: undefined } as const;

function draft(message: Message, part: Part): Draft {
  const left = message.abandoned;
  const nested = message.agent !== undefined && message.agent !== part.view.own;
  const base = { key: part.prefix + message.position, epoch: part.epoch, time: message.time, nested, left };
  if (isHidden(message)) return { ...base, type: "record", speaker: "none", message };
  if (message.dialog) {
    const { dialog } = message;
    const asks = left || dialog.outcome ? undefined : part.open.get(dialog.id);
    const receipt = part.answers.of(dialog.id, message.position);
    const terminal = receipt ? receipt.door === "terminal" : dialog.outcome !== undefined && part.terminal.has(dialog.id);
    return { ...base, type: "dialog", speaker: "ask", dialog, asks, live: asks !== undefined, receipt, terminal };
  }
  if (message.tool) {
    const answer = part.answers.of(message.tool.call_id);
    return { ...base, type: "tools", speaker: "agent", messages: [message], answers: answer ? [answer] : [] };
  }
  if (message.lifecycle) return { ...base, type: "lifecycle", speaker: "none", message };
  if (message.error !== undefined) return { ...base, type: "error", speaker: "agent", message };
  if (message.thinking) return { ...base, type: "thinking", speaker: "agent", message };
  const speaker = message.role === "user" ? "you" : "agent";
  return { ...base, type: "text", speaker, message, receipt: part.receipts.get(message.position) };
}

/** Stretches of the main line and of branches that were left. A hidden record never ends a stretch. */
function stretches(messages: readonly Message[], view: View): { left: boolean; messages: Message[] }[] {
  const all: { left: boolean; messages: Message[] }[] = [];
  let waiting: Message[] = [];
  for (const message of messages) {
    if (isHidden(message)) {
      if (view.hidden) waiting.push(message);
      continue;
    }
    const last = all.at(-1);
    if (last?.left === message.abandoned) last.messages.push(...waiting, message);
    else if (message.abandoned && waiting.length > 0) all.push({ left: false, messages: waiting }, { left: true, messages: [message] });
    else all.push({ left: message.abandoned, messages: [...waiting, message] });
    waiting = [];
  }
  if (waiting.length > 0) all.push({ left: false, messages: waiting });
  return all;
}

/** An older page may add calls to the front of a group. It stays the same row, so that the reader's place is not lost. */
const groupKey = (messages: readonly Message[], { prefix, groups }: Part): string | undefined => {
  const known = messages.findLast(({ position }) => groups.has(prefix + position));
  return known && prefix + known.position;
};

/** One stretch. Hidden records between the calls of a group stand in the group: it stays one. */
function stretch(messages: readonly Message[], part: Part): Draft[] {
  const made: Draft[] = [];
  let mode: string | undefined;
  let behind: Message[] = [];
  const flush = () => {
    made.push(...behind.map((message) => draft(message, part)));
    behind = [];
  };
  for (const message of messages) {
    const says = message.permission_mode;
    if (says !== undefined && mode !== undefined && says !== mode) {
      flush();
      made.push({ ...none, key: `${part.prefix}mode:${message.position}`, epoch: part.epoch, type: "mode", mode: says });
    }
    mode = says ?? mode;
    const next = draft(message, part);
    const last = made.at(-1);
    const group = last?.["type"] === "tools" ? (last["messages"] as Message[]) : undefined;
    if (group && next["type"] === "record") behind.push(message);
    else if (group && next["type"] === "tools" && last?.nested === next.nested) {
      group.push(...behind.splice(0), message);
      (last["answers"] as Receipt[]).push(...(next["answers"] as Receipt[]));
    } else {
      flush();
      made.push(next);
    }
  }
  flush();
  for (const one of made) if (one["type"] === "tools") one.key = groupKey(one["messages"] as Message[], part) ?? one.key;
  return made;
}

function drafts(messages: readonly Message[], part: Part): Draft[] {
  return stretches(messages, part.view).flatMap((one) => {
    if (!one.left) return stretch(one.messages, part);
    // Older pages add to its front: the last message names it for good.
    const key = `${part.prefix}fold:${one.messages.at(-1)?.position ?? ""}`;
    const open = part.view.folds.has(key);
    const count = one.messages.filter((message) => !isHidden(message)).length;
    const fold: Draft = { ...none, key, epoch: part.epoch, type: "fold", count, open };
    return open ? [fold].concat(stretch(one.messages, part)) : [fold];
  });
}

/** The stream is faster than the record: once the record has the same words, the tail has done its work. */
function tailIsRecorded(messages: readonly Message[], tail: string): boolean {
  const last = messages.findLast((message) => !isHidden(message) && !message.abandoned);
  return last?.kind === "text" && !last.thinking && last.role === "assistant" && (last.text ?? "").trimStart().startsWith(tail.trim()) && tail.trim() !== "";
}

const stateOf = (thread: Thread | undefined): KnotState => {
  if (!thread) return "closed";
  if (thread.failure) return "failed";
  return thread.read ? "open" : "reading";
};

function knot({ began, previous, thread }: Link, epoch: string): Draft {
  const time = began?.started_at === "" ? undefined : began?.started_at;
  const says = { reason: began?.reason ?? "", previous: previous.id, state: stateOf(thread), open: thread?.read === true, failure: thread?.failure };
  return { ...none, ...says, time, key: `knot:${began?.id ?? epoch}`, epoch: began?.id ?? epoch, type: "knot" };
}

const begins = new Set(["started", "cleared", "resumed", "compacted"]);

/** The agent's own line about the beginning says nothing more than the knot above it. */
function withoutBeginning(part: readonly Draft[]): readonly Draft[] {
  const first = part.findIndex(({ type }) => (type as string) !== "record");
  const message = part[first]?.["type"] === "lifecycle" ? (part[first]["message"] as Message) : undefined;
  const said = begins.has(message?.lifecycle?.event ?? "") && !message?.lifecycle?.detail;
  return said ? part.toSpliced(first, 1) : part;
}

/** Everything above the current epoch, and its own rows below: knots, and the epochs that were opened. */
function withEarlier(conversation: Conversation, current: Draft[], { groups, view }: Pick<Part, "groups" | "view">): Draft[] {
  const links = chain(conversation, view.earlier);
  let parts: (readonly Draft[])[] = [current];
  for (const link of links) {
    const [newest = [], ...rest] = parts;
    parts = [[knot(link, conversation.epoch)], withoutBeginning(newest), ...rest];
    const { thread, previous } = link;
    if (!thread?.read) break;
    const { id } = previous;
    const own = drafts(thread.messages, { ...nobody, epoch: id, prefix: `${id}/`, groups, view });
    const empty: Draft = { ...none, key: `${id}/empty`, epoch: id, type: "empty" };
    parts = [own.length > 0 ? own : [empty], ...parts];
  }
  return parts.flat();
}

/** A builder for one conversation, which remembers the rows that it made last. */
export function rowBuilder(): (conversation: Conversation, pending: readonly Pending[], view?: View) => Row[] {
  let before: Row[] = [];
  return (conversation, pending, view = plainView) => {
    before = buildRows(conversation, pending, before, view);
    return before;
  };
}

export function buildRows(conversation: Conversation, pending: readonly Pending[], before: readonly Row[] = [], view: View = plainView): Row[] {
  const { epoch, messages, pendingDialogs, tail } = conversation;
  const receipts = proofs(conversation);
  const open = new Map(pendingDialogs.map((dialog) => [dialog.id, dialog]));
  const terminal = leftToTerminal(conversation);
  const groups = new Set(before.flatMap(({ type, key }) => (type === "tools" ? [key] : [])));
  const current = drafts(messages, { epoch, prefix: "", receipts, answers: answersOf(conversation), open, terminal, groups, view });
  const all = withEarlier(conversation, current, { groups, view });
  if (startsHere(conversation, view)) all.unshift({ ...none, key: "head", epoch, type: "start" });
  const shown = new Set(messages.flatMap(({ dialog, abandoned }) => (dialog && !abandoned ? [dialog.id] : [])));
  if (tail !== null && tail !== "" && !tailIsRecorded(messages, tail)) {
    all.push({ ...none, key: "tail", epoch, type: "tail", speaker: "agent", text: tail });
  }
  // Those that wait no more came before those that do.
  for (const dialog of [...(view.kept ?? []), ...pendingDialogs]) {
    if (shown.has(dialog.id)) continue;
    const asks = open.get(dialog.id);
    const says = { type: "dialog", speaker: "ask", dialog, asks, live: asks !== undefined, receipt: asks ? undefined : answersOf(conversation).of(dialog.id), terminal: false } as const;
    all.push({ ...none, ...says, key: `dialog:${dialog.id}`, epoch });
  }
  for (const one of pending) {
    all.push({ ...none, key: `sent:${one.clientId}`, epoch, type: "pending", speaker: "you", pending: one });
  }
  const top = chain(conversation, view.earlier).findLast(({ thread }) => thread?.read)?.thread ?? conversation;
  return finish(all, before, top.hasMore);
}

/** The first epoch is loaded to its beginning, and the agent's own record does not say so itself. */
function startsHere(conversation: Conversation, view: View): boolean {
  if (view.own !== undefined) return false;
  const links = chain(conversation, view.earlier);
  const last = links.at(-1);
  const top: Pick<Thread, "messages" | "hasMore"> | undefined = last ? (last.thread?.read ? last.thread : undefined) : conversation;
  const first = top?.messages.find((message) => !isHidden(message));
  const says = first?.lifecycle?.event;
  return top !== undefined && !top.hasMore && first !== undefined && says !== "started" && says !== "cleared";
}

/** Says which rows open a turn, and keeps the objects of rows that did not change, so that nothing draws twice. */
function finish(all: readonly Draft[], before: readonly Row[], hasMore: boolean): Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  // Most likely a page begins within a turn of the agent: a name that goes away again would move what is below.
  let speaker = hasMore ? "agent" : "none";
  return all.map((one) => {
    const type: string = one.type;
    const says = `${one.left ? "left " : ""}${one.nested ? "nested " : ""}${one.speaker}`;
    const opens: boolean = one.speaker === "ask" || type === "pending" || (one.speaker !== "none" && says !== speaker);
    // A hidden record is not a part of the talk: a turn goes on behind it.
    if (type !== "record") speaker = says;
    const row = { ...one, opens } as Row;
    const old = known.get(row.key);
    return old && same(old, row) ? old : row;
  });
}

function same(a: Row, b: Row): boolean {
  const left = a as unknown as Record<string, unknown>;
  const right = b as unknown as Record<string, unknown>;
  return Object.keys(right).every((key) => {
    const [x, y] = [left[key], right[key]];
    if (Array.isArray(x) && Array.isArray(y)) return x.length === y.length && x.every((item, i) => item === y[i]);
    if (key === "pending") return JSON.stringify(x) === JSON.stringify(y);
    return x === y;
  });
}

/** Something was said or done, by whoever: knots and hidden records do not make a conversation. */
export const isSaid = (row: Row): boolean => row.type !== "start" && row.type !== "knot" && row.type !== "record" && row.type !== "mode";
