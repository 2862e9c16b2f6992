/**
 * What the page reads and calls by its own names. The schemas themselves are
 * written by the server: wire.gen.ts.
 */
import * as z from "zod/mini";
import { maybe, text } from "./reading.ts";
import {
  answerSchema, auditEntrySchema as wholeEntrySchema, dialogSchema, messagesSchema, problemSchema as wholeProblemSchema, queuedReplySchema,
  streamingTailSchema, toolCallSchema, transcriptStatusSchema,
} from "./wire.gen.ts";
import type { EditRequest, Messages, ProviderInfo, QueuedReply as Held, ReplyRequest, StreamingTail, ToolCall } from "./wire.gen.ts";

export { answerSchema, dialogSchema };
export { attachSchema, messageSchema, positionSchema, providerInfoSchema as providerSchema, providersSchema, receiptSchema, runSchema, runsSchema, toolViewSchema as viewSchema } from "./wire.gen.ts";
export type {
  Answer, Attach, AuditEntry, Choice, ContextUsage, Dialog, Epoch, Message, NewRun, Question, Receipt, Run, RunState, ToolView, Warning,
} from "./wire.gen.ts";
export { messagesSchema as snapshotSchema, queuedReplySchema as queuedSchema, streamingTailSchema as tailSchema, toolCallSchema as toolSchema };

/** What a subagent wrote: the messages of a snapshot, and only what a thread needs beside them. */
export const threadSchema = z.object({
  epoch: z.prefault(text, ""),
  messages: messagesSchema.shape.messages,
  has_more: z.prefault(z.boolean(), false),
  transcript: z.prefault(transcriptStatusSchema, "available"),
});

/** Something between the server and the page may have written it: nothing in it is sure. */
export const problemSchema = z.extend(wholeProblemSchema, {
  type: maybe(text),
  status: maybe(z.number()),
  title: z.prefault(text, ""),
  code: z.prefault(text, "unknown"),
  detail: maybe(text),
  dialog: z.catch(maybe(dialogSchema), undefined),
});

/** An entry is worth showing without what cannot be read beside its receipt. */
export const auditEntrySchema = z.extend(wholeEntrySchema, {
  answers: z.catch(maybe(z.array(answerSchema)), undefined),
  discuss: z.catch(maybe(text), undefined),
  dialog: z.catch(maybe(dialogSchema), undefined),
});

/** The entries as they came: each is read by itself, and a file of them keeps what this page does not know. */
export const auditSchema = z.object({ entries: z.array(z.unknown()) });

export type Provider = ProviderInfo;
export type Tool = ToolCall;
export type QueuedReply = Held;
export type Tail = StreamingTail;
export type Snapshot = Messages;
export type SendWhen = NonNullable<ReplyRequest["when"]>;
/** `before` names the entry before which it goes; null is the end. */
export type QueueEdit = EditRequest;
export type ThreadPage = z.output<typeof threadSchema>;
