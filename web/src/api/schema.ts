/**
 * What the server says, parsed where it arrives. The Rust side is src/schema/.
 *
 * A server newer than this page may send fields, words and kinds that it does not
 * know: unknown fields are dropped, unknown words become "unknown", and an item of
 * a list that cannot be read is left out instead of spoiling the list.
 */
import * as z from "zod/mini";

const text = z.string();
const word = <const T extends readonly string[]>(words: T) => z.catch(z.enum([...words, "unknown"]), "unknown");
/** Absent, or null: the same to the page. */
const maybe = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(z.pipe(z.nullable(schema), z.transform((value) => value ?? undefined)));

export function list<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((items): z.output<T>[] =>
      items.flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    ),
  );
}
const someList = <T extends z.ZodMiniType>(item: T) => z.prefault(list(item), []);

export const positionSchema = z.string().check(z.regex(/^\d+\.\d+$/));

export const choiceSchema = z.object({ id: text, label: text, description: z.prefault(text, "") });

export const providerSchema = z.object({
  id: text,
  display_name: text,
  installed: maybe(z.object({ path: text, version: text })),
  compat: word(["verified", "untested", "unsupported"]),
  pinned_version: z.prefault(text, ""),
  models: someList(choiceSchema),
  efforts: someList(choiceSchema),
  permission_modes: someList(choiceSchema),
  capabilities: z.prefault(z.array(text), []),
});

export const attachSchema = z.object({ command: text, socket: text, session: text });
export const contextSchema = z.object({ used: z.number(), limit: z.number() });
export const warningSchema = z.object({ code: text, message: text, hint: maybe(text) });

export const runSchema = z.object({
  id: text,
  provider: text,
  title: text,
  state: word(["idle", "working", "needs_input", "question", "ended"]),
  cwd: text,
  branch: maybe(text),
  model: maybe(text),
  effort: maybe(text),
  permission_mode: maybe(text),
  origin: word(["spawned", "adopted"]),
  epoch: text,
  created_at: text,
  last_activity_at: text,
  ended_at: maybe(text),
  exit: maybe(z.object({ code: maybe(z.number()), signal: maybe(text), detail: maybe(text) })),
  pending_dialogs: z.prefault(z.number(), 0),
  queued: z.prefault(z.number(), 0),
  context_usage: maybe(contextSchema),
  cli_version: maybe(text),
  compat: word(["verified", "untested", "unsupported"]),
  attach: maybe(attachSchema),
  warnings: someList(warningSchema),
  last_line: maybe(text),
  demo: z.prefault(z.boolean(), false),
});

export const questionSchema = z.object({
  header: text,
  text,
  options: someList(z.object({ label: text, description: z.prefault(text, ""), preview: maybe(text) })),
  multi_select: z.prefault(z.boolean(), false),
  free_text: z.prefault(z.boolean(), false),
});

export const dialogSchema = z.object({
  id: text,
  kind: word(["question", "plan", "approval"]),
  title: text,
  body: z.prefault(text, ""),
  questions: someList(questionSchema),
  answerable: z.prefault(z.boolean(), false),
  /** Instead of an answer, a person may say that they want to talk about it first. */
  can_discuss: maybe(z.boolean()),
  channel: word(["live", "keys", "none"]),
  outcome: maybe(
    z.object({ accepted: z.boolean(), discussed: maybe(z.boolean()), answers: someList(z.tuple([text, text])), detail: maybe(text) }),
  ),
});

export const viewSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("diff"), path: text, diff: text }),
  z.object({
    type: z.literal("command"),
    command: text,
    exit_code: maybe(z.number()),
    background: z.prefault(z.boolean(), false),
  }),
  z.object({ type: z.literal("write"), path: text, content: text }),
  z.object({ type: z.literal("read"), path: text }),
  z.object({ type: z.literal("todo"), items: someList(z.object({ text, status: text })) }),
  z.object({ type: z.literal("search"), query: text, path: maybe(text) }),
  z.object({ type: z.literal("subagent"), description: text, agent: maybe(text) }),
  z.object({ type: z.literal("mcp"), server: text, tool: text }),
]);

export const toolSchema = z.object({
  call_id: text,
  name: text,
  title: text,
  input: z.unknown(),
  output: maybe(text),
  status: word(["running", "ok", "error", "cancelled"]),
  view: z.catch(maybe(viewSchema), undefined),
  started_at: maybe(text),
  ended_at: maybe(text),
});

export const messageSchema = z.object({
  position: positionSchema,
  kind: word(["text", "tool", "dialog", "lifecycle"]),
  role: maybe(word(["user", "assistant"])),
  time: maybe(text),
  text: maybe(text),
  attachments: someList(
    z.object({ kind: word(["image", "file"]), name: maybe(text), mime: maybe(text), bytes: maybe(z.number()) }),
  ),
  /** Of a prompt: the permission mode in which it was said. */
  permission_mode: maybe(text),
  thinking: z.prefault(z.boolean(), false),
  error: maybe(text),
  tool: maybe(toolSchema),
  dialog: maybe(dialogSchema),
  lifecycle: maybe(
    z.object({
      event: word([
        "started",
        "cleared",
        "resumed",
        "compacted",
        "interrupted",
        "model_changed",
        "mode_changed",
        "api_error",
        "command_output",
        "warning",
        "notice",
        "hidden",
      ]),
      detail: maybe(text),
    }),
  ),
  agent: maybe(text),
  turn: maybe(text),
  cut: z.prefault(z.boolean(), false),
  /** It belongs to a branch that a person rewound away from. */
  abandoned: z.catch(z.prefault(z.boolean(), false), false),
  revision: z.prefault(z.number(), 0),
});

export const receiptSchema = z.object({
  id: text,
  kind: word(["reply", "answer", "interrupt"]),
  status: word(["accepted", "queued", "typed", "recorded", "failed"]),
  /** The terminal: a person answered there. */
  door: word(["live", "keys", "terminal"]),
  detail: maybe(text),
  position: maybe(positionSchema),
  /** The conversation that the message at `position` stands in. */
  epoch: maybe(text),
  /** What an answer answers. */
  dialog_id: maybe(text),
  client_id: maybe(text),
  by: z.prefault(text, ""),
  at: z.prefault(text, ""),
});

/** A reply that the server holds. Its id is that of its receipt. */
export const queuedSchema = z.object({
  id: text,
  text,
  when: word(["now", "after_turn"]),
  cause: word(["starting", "dialog", "turn", "blocked", "order", "screen", "draft", "storage", "epoch", "doubt"]),
  reason: z.prefault(text, ""),
  by: z.prefault(text, ""),
  at: z.prefault(text, ""),
});
export const tailSchema = z.object({ text });
export const epochSchema = z.object({ id: text, reason: z.prefault(text, ""), started_at: z.prefault(text, "") });
const cursorSchema = z.union([text, z.pipe(z.number(), z.transform(String))]);

export const snapshotSchema = z.object({
  run_id: text,
  epoch: text,
  epochs: someList(epochSchema),
  messages: list(messageSchema),
  has_more: z.boolean(),
  state: word(["idle", "working", "needs_input", "question", "ended"]),
  pending_dialogs: someList(dialogSchema),
  queued: someList(queuedSchema),
  context_usage: maybe(contextSchema),
  cursor: maybe(cursorSchema),
  transcript: word(["locating", "available", "gone"]),
  tail: maybe(tailSchema),
  receipts: someList(receiptSchema),
});

/** What a subagent wrote: the messages of a snapshot, and only what a thread needs beside them. */
export const threadSchema = z.object({
  epoch: z.prefault(text, ""),
  messages: list(messageSchema),
  has_more: z.prefault(z.boolean(), false),
  transcript: z.prefault(word(["locating", "available", "gone"]), "available"),
});

export const runsSchema = z.object({ runs: list(runSchema) });
export const providersSchema = z.object({ providers: list(providerSchema) });
export const problemSchema = z.object({
  title: z.prefault(text, ""),
  code: z.prefault(text, "unknown"),
  detail: maybe(text),
  hint: maybe(text),
  field: maybe(text),
  /** What is open now, where another dialog was answered. */
  dialog: z.catch(maybe(dialogSchema), undefined),
});

/** One answer for each question: the places of the options, and the person's own words. */
export const answerSchema = z.object({ selected: z.array(z.number()), other_text: z.optional(text) });

/** A receipt, and what only the books of the server have beside it. */
export const auditEntrySchema = z.extend(receiptSchema, {
  text: maybe(text),
  answers: z.catch(maybe(z.array(answerSchema)), undefined),
  /** What was said by a person who wanted to talk about it first. */
  discuss: z.catch(maybe(text), undefined),
  dialog: z.catch(maybe(dialogSchema), undefined),
});
/** The entries as they came: each is read by itself, and a file of them keeps what this page does not know. */
export const auditSchema = z.object({ entries: z.array(z.unknown()) });

export type Choice = z.output<typeof choiceSchema>;
export type Provider = z.output<typeof providerSchema>;
export type Attach = z.output<typeof attachSchema>;
export type ContextUsage = z.output<typeof contextSchema>;
export type Run = z.output<typeof runSchema>;
export type RunState = Run["state"];
export type Warning = z.output<typeof warningSchema>;
export type Question = z.output<typeof questionSchema>;
export type Dialog = z.output<typeof dialogSchema>;
export type Answer = z.output<typeof answerSchema>;
export type ToolView = z.output<typeof viewSchema>;
export type Tool = z.output<typeof toolSchema>;
export type Message = z.output<typeof messageSchema>;
export type Receipt = z.output<typeof receiptSchema>;
export type QueuedReply = z.output<typeof queuedSchema>;
export type SendWhen = "now" | "after_turn";
export type AuditEntry = z.output<typeof auditEntrySchema>;
export type Tail = z.output<typeof tailSchema>;
export type Epoch = z.output<typeof epochSchema>;
export type ThreadPage = z.output<typeof threadSchema>;
export type Snapshot = z.output<typeof snapshotSchema>;
