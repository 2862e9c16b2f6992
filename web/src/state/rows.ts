/** Messages become rows: turns with a stitch, tool calls in groups, what is asked, what happened. Pure. */
import type { Dialog, Message, Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";
import type { Pending } from "./outbox.ts";

export type Speaker = "you" | "agent" | "ask" | "none";

export type Row = { key: string; speaker: Speaker; opens: boolean; nested: boolean; time: string | undefined } & (
  | { type: "text"; message: Message; receipt: Receipt | undefined }
  | { type: "thinking"; message: Message }
  | { type: "error"; message: Message }
  | { type: "tools"; messages: readonly Message[] }
  | { type: "dialog"; dialog: Dialog; live: boolean }
  | { type: "lifecycle"; message: Message }
  | { type: "knot" }
  | { type: "start" }
  | { type: "tail"; text: string }
  | { type: "pending"; pending: Pending }
);

type Draft = Omit<Extract<Row, unknown>, "opens"> & Record<string, unknown>;

const hidden = (message: Message) =>
  message.kind === "unknown" || (message.kind === "lifecycle" && (message.lifecycle?.event ?? "unknown") === "unknown");

function draft(message: Message, receipts: ReadonlyMap<string, Receipt>, open: ReadonlySet<string>): Draft {
  const base = { key: message.position, time: message.time, nested: message.agent !== undefined };
  if (message.dialog) {
    const live = message.dialog.outcome === undefined && open.has(message.dialog.id);
    return { ...base, type: "dialog", speaker: "ask", dialog: message.dialog, live };
  }
  if (message.tool) return { ...base, type: "tools", speaker: "agent", messages: [message] };
  if (message.lifecycle) return { ...base, type: "lifecycle", speaker: "none", message };
  if (message.error !== undefined) return { ...base, type: "error", speaker: "agent", message };
  if (message.thinking) return { ...base, type: "thinking", speaker: "agent", message };
  const speaker = message.role === "user" ? "you" : "agent";
  return { ...base, type: "text", speaker, message, receipt: receipts.get(message.position) };
}

/** The stream is faster than the record: once the record has the same words, the tail has done its work. */
function tailIsRecorded(messages: readonly Message[], tail: string): boolean {
  const last = messages.findLast((message) => !hidden(message));
  return last?.kind === "text" && !last.thinking && last.role === "assistant" && (last.text ?? "").trimStart().startsWith(tail.trim()) && tail.trim() !== "";
}

/** A builder for one conversation, which remembers the rows that it made last. */
export function rowBuilder(): (conversation: Conversation, pending: readonly Pending[]) => Row[] {
  let before: Row[] = [];
  return (conversation, pending) => {
    before = buildRows(conversation, pending, before);
    return before;
  };
}

export function buildRows(conversation: Conversation, pending: readonly Pending[], before: readonly Row[] = []): Row[] {
  const receipts = new Map<string, Receipt>();
  for (const receipt of Object.values(conversation.receipts)) {
    if (receipt.position !== undefined && receipt.kind === "reply") receipts.set(receipt.position, receipt);
  }
  const open = new Set(conversation.pendingDialogs.map((dialog) => dialog.id));
  const drafts: Draft[] = [];
  const first = conversation.messages.find((message) => !hidden(message));
  const says = first?.lifecycle?.event;
  if (!conversation.hasMore && first && says !== "started" && says !== "cleared") drafts.push(head(conversation));
  const shown = new Set<string>();
  for (const message of conversation.messages) {
    if (hidden(message)) continue;
    const next = draft(message, receipts, open);
    const last = drafts.at(-1);
    if (next["type"] === "tools" && last?.["type"] === "tools" && last.nested === next.nested) {
      (last["messages"] as Message[]).push(message);
      continue;
    }
    if (message.dialog) shown.add(message.dialog.id);
    drafts.push(next);
  }
  const { tail } = conversation;
  if (tail !== null && tail !== "" && !tailIsRecorded(conversation.messages, tail)) {
    drafts.push({ key: "tail", type: "tail", speaker: "agent", nested: false, time: undefined, text: tail });
  }
  for (const dialog of conversation.pendingDialogs) {
    if (shown.has(dialog.id)) continue;
    drafts.push({ key: `dialog:${dialog.id}`, type: "dialog", speaker: "ask", nested: false, time: undefined, dialog, live: true });
  }
  for (const one of pending) {
    const key = `sent:${one.clientId}`;
    drafts.push({ key, type: "pending", speaker: "you", nested: false, time: undefined, pending: one });
  }
  return finish(drafts, before);
}

function head(conversation: Conversation): Draft {
  const cleared = conversation.epochs.length > 1 && conversation.epochs[0]?.id !== conversation.epoch;
  const type = cleared ? "knot" : "start";
  return { key: "head", type, speaker: "none", nested: false, time: undefined };
}

/** Says which rows open a turn, and keeps the objects of rows that did not change, so that nothing draws twice. */
function finish(drafts: readonly Draft[], before: readonly Row[]): Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  let speaker = "none";
  return drafts.map((one) => {
    const says = one.nested ? `nested ${one.speaker}` : one.speaker;
    const opens: boolean = one.speaker === "ask" || one.type === "pending" || (one.speaker !== "none" && says !== speaker);
    speaker = says;
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
