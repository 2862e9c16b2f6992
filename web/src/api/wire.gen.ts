/** Written by `npm run api` from docs/openapi.json. Not to be changed by hand. */
import * as z from "zod/mini";
import { list, maybe, text, word } from "./reading.ts";

/** Through which door an answer would go. */
export const channelSchema = word(["live", "keys", "none"]);
export type Channel = z.output<typeof channelSchema>;

export const dialogKindSchema = word(["question", "plan", "approval"]);
export type DialogKind = z.output<typeof dialogKindSchema>;

/** How a dialog ended, as the CLI recorded it. */
export const outcomeSchema = z.object({
  accepted: z.boolean(), answers: list(z.tuple([text, text])), detail: maybe(text), discussed: z.prefault(z.boolean(), false),
});
export type Outcome = z.output<typeof outcomeSchema>;

export const questionOptionSchema = z.object({ description: z.prefault(text, ""), label: text, preview: maybe(text) });
export type QuestionOption = z.output<typeof questionOptionSchema>;

export const questionSchema = z.object({
  free_text: z.boolean(), header: text, multi_select: z.boolean(), options: list(questionOptionSchema), text: text,
});
export type Question = z.output<typeof questionSchema>;

/** A question, a plan or an approval that waits for a person, or did. */
export const dialogSchema = z.object({
  answerable: z.boolean(), body: z.prefault(text, ""), can_discuss: z.prefault(z.boolean(), false), channel: channelSchema, id: text,
  kind: dialogKindSchema, outcome: maybe(outcomeSchema), questions: list(questionSchema), title: text,
});
export type Dialog = z.output<typeof dialogSchema>;

/** Why a request was not carried out: RFC 9457. */
export const problemSchema = z.object({
  code: text, detail: text, dialog: maybe(dialogSchema), field: maybe(text), hint: maybe(text), retry_after: maybe(z.number()),
  run_id: maybe(text), status: z.number(), title: text, type: text,
});
export type Problem = z.output<typeof problemSchema>;

/** How a person gets to the same live terminal. */
export const attachSchema = z.object({ command: text, session: text, socket: text });
export type Attach = z.output<typeof attachSchema>;

export const compatVerdictSchema = word(["verified", "untested", "unsupported"]);
export type CompatVerdict = z.output<typeof compatVerdictSchema>;

/** Tokens in the context window after the latest answer. */
export const contextUsageSchema = z.object({ limit: z.number(), used: z.number() });
export type ContextUsage = z.output<typeof contextUsageSchema>;

/** How the process ended. All fields empty: it is gone and nobody saw how. */
export const exitSchema = z.object({ code: maybe(z.number()), detail: maybe(text), signal: maybe(text) });
export type Exit = z.output<typeof exitSchema>;

export const originSchema = word(["spawned", "adopted"]);
export type Origin = z.output<typeof originSchema>;

export const runStateSchema = word(["idle", "working", "needs_input", "question", "ended"]);
export type RunState = z.output<typeof runStateSchema>;

/** Something about a run that a person should know. */
export const warningSchema = z.object({ code: text, hint: maybe(text), message: text });
export type Warning = z.output<typeof warningSchema>;

/** One supervised CLI in one tmux session. */
export const runSchema = z.object({
  attach: maybe(attachSchema), branch: maybe(text), cli_version: maybe(text), compat: compatVerdictSchema,
  context_usage: maybe(contextUsageSchema), created_at: text, cwd: text, demo: z.boolean(), effort: maybe(text), ended_at: maybe(text),
  epoch: text, exit: maybe(exitSchema), id: text, last_activity_at: text, last_line: maybe(text), model: maybe(text), origin: originSchema,
  pending_dialogs: z.number(), permission_mode: maybe(text), provider: text, queued: z.number(), read_only: z.prefault(z.boolean(), false),
  state: runStateSchema, title: text, warnings: list(warningSchema),
});
export type Run = z.output<typeof runSchema>;

export const adoptsAsSchema = word(["chat", "read_only", "resume"]);
export type AdoptsAs = z.output<typeof adoptsAsSchema>;

export const sessionStateSchema = word(["working", "idle", "waiting", "starting", "past"]);
export type SessionState = z.output<typeof sessionStateSchema>;

/** A conversation of a CLI that seamux did not start. */
export const sessionSchema = z.object({
  adopts_as: adoptsAsSchema, attach: maybe(attachSchema), branch: maybe(text), cli_version: maybe(text), cwd: maybe(text), hint: maybe(text),
  last_activity_at: maybe(text), last_line: maybe(text), native_id: text, pid: maybe(z.number()), provider: text, reason: maybe(text),
  size: maybe(z.number()), state: sessionStateSchema, title: text,
});
export type Session = z.output<typeof sessionSchema>;

/** What was found. */
export const discoveredSchema = z.object({ has_more: z.boolean(), sessions: list(sessionSchema) });
export type Discovered = z.output<typeof discoveredSchema>;

export const attachmentKindSchema = word(["image", "file"]);
export type AttachmentKind = z.output<typeof attachmentKindSchema>;

/** An image or a file beside a text. */
export const attachmentSchema = z.object({ bytes: maybe(z.number()), kind: attachmentKindSchema, mime: maybe(text), name: maybe(text) });
export type Attachment = z.output<typeof attachmentSchema>;

export const messageKindSchema = word(["text", "tool", "dialog", "lifecycle"]);
export type MessageKind = z.output<typeof messageKindSchema>;

export const lifecycleEventSchema = word(["started", "cleared", "resumed", "compacted", "interrupted", "model_changed", "mode_changed", "api_error", "command_output", "warning", "notice", "hidden"]);
export type LifecycleEvent = z.output<typeof lifecycleEventSchema>;

/** Something that happened to the conversation itself. */
export const lifecycleSchema = z.object({ detail: maybe(text), event: lifecycleEventSchema });
export type Lifecycle = z.output<typeof lifecycleSchema>;

/** A message's place in its transcript: `record.block` */
export const positionSchema = text.check(z.regex(/^\d+\.\d+$/));
export type Position = z.output<typeof positionSchema>;

export const roleSchema = word(["user", "assistant"]);
export type Role = z.output<typeof roleSchema>;

export const toolStatusSchema = word(["running", "ok", "error", "cancelled"]);
export type ToolStatus = z.output<typeof toolStatusSchema>;

export const todoItemSchema = z.object({ status: text, text: text });
export type TodoItem = z.output<typeof todoItemSchema>;

/** What a tool did, in words that hold for every provider. */
export const toolViewSchema = z.discriminatedUnion("type", [
  z.object({ diff: text, path: text, type: z.literal("diff") }),
  z.object({
    background: z.prefault(z.boolean(), false), command: text, exit_code: maybe(z.number()), type: z.literal("command"),
  }),
  z.object({ content: text, path: text, type: z.literal("write") }), z.object({ path: text, type: z.literal("read") }),
  z.object({ items: list(todoItemSchema), type: z.literal("todo") }), z.object({ path: maybe(text), query: text, type: z.literal("search") }),
  z.object({ agent: maybe(text), description: text, type: z.literal("subagent") }),
  z.object({ server: text, tool: text, type: z.literal("mcp") }),
]);
export type ToolView = z.output<typeof toolViewSchema>;

/** One call of a tool, with its result once there is one. */
export const toolCallSchema = z.object({
  call_id: text, ended_at: maybe(text), input: z.unknown(), name: text, output: maybe(text), started_at: maybe(text),
  status: toolStatusSchema, title: text, view: z.catch(maybe(toolViewSchema), undefined),
});
export type ToolCall = z.output<typeof toolCallSchema>;

/** One entry of a conversation. */
export const messageSchema = z.object({
  abandoned: z.prefault(z.boolean(), false), agent: maybe(text), attachments: z.prefault(list(attachmentSchema), []),
  cut: z.prefault(z.boolean(), false), dialog: maybe(dialogSchema), error: maybe(text), kind: messageKindSchema,
  lifecycle: maybe(lifecycleSchema), permission_mode: maybe(text), position: positionSchema, revision: z.prefault(z.number(), 0),
  role: maybe(roleSchema), text: maybe(text), thinking: z.prefault(z.boolean(), false), time: maybe(text), tool: maybe(toolCallSchema),
  turn: maybe(text),
});
export type Message = z.output<typeof messageSchema>;

export const doorSchema = word(["live", "keys", "terminal"]);
export type Door = z.output<typeof doorSchema>;

export const receiptKindSchema = word(["reply", "answer", "interrupt"]);
export type ReceiptKind = z.output<typeof receiptKindSchema>;

export const receiptStatusSchema = word(["accepted", "queued", "typed", "recorded", "failed"]);
export type ReceiptStatus = z.output<typeof receiptStatusSchema>;

/** Proof of what became of one thing that a person sent. */
export const receiptSchema = z.object({
  at: text, by: text, client_id: maybe(text), detail: maybe(text), dialog_id: maybe(text), door: doorSchema, epoch: maybe(text), id: text,
  kind: receiptKindSchema, position: maybe(positionSchema), status: receiptStatusSchema,
});
export type Receipt = z.output<typeof receiptSchema>;

/** What a held reply waits for. */
export const holdCauseSchema = word(["order", "starting", "dialog", "turn", "blocked", "screen", "draft", "storage", "epoch", "doubt"]);
export type HoldCause = z.output<typeof holdCauseSchema>;

/** When a reply is handed to the CLI, by its sender's choice. */
export const sendWhenSchema = word(["now", "after_turn"]);
export type SendWhen = z.output<typeof sendWhenSchema>;

/** A reply that seamux holds until the CLI can take it. */
export const queuedReplySchema = z.object({
  at: text, by: text, cause: holdCauseSchema, id: text, reason: text, text: text, when: sendWhenSchema,
});
export type QueuedReply = z.output<typeof queuedReplySchema>;

/** Text that the model is writing and that the transcript does not have yet. */
export const streamingTailSchema = z.object({ text: text });
export type StreamingTail = z.output<typeof streamingTailSchema>;

/** What each event holds. */
export const changeShapes = {
  "run.changed": z.object({ run: runSchema }),
  "message.upsert": z.object({ epoch: text, message: messageSchema, run_id: text }),
  "receipt": z.object({ receipt: receiptSchema, run_id: text }),
  "dialog.changed": z.object({ pending_dialogs: list(dialogSchema), run_id: text }),
  "queue.changed": z.object({ queued: list(queuedReplySchema), run_id: text }),
  "tail.changed": z.object({ epoch: text, run_id: text, tail: maybe(streamingTailSchema) }),
  "epoch.changed": z.object({ epoch: text, run_id: text }),
  "run.removed": z.object({ id: text }),
  "provider.auth.changed": z.object({ provider: text }),
  "resync": z.object({ run: z.prefault(text, "") }),
} as const;

export const pairCodeSchema = z.object({ code: text, expires_at: text });
export type PairCode = z.output<typeof pairCodeSchema>;

export const tokenScopeSchema = word(["full", "read_only"]);
export type TokenScope = z.output<typeof tokenScopeSchema>;

/** A named token, without its secret. */
export const tokenInfoSchema = z.object({
  created_at: text, id: text, last_used_at: maybe(text), name: text, paired: z.boolean(), scope: tokenScopeSchema,
});
export type TokenInfo = z.output<typeof tokenInfoSchema>;

/** A token with its secret, which is told this once. */
export const madeTokenSchema = z.extend(tokenInfoSchema, { token: text });
export type MadeToken = z.output<typeof madeTokenSchema>;

export const authKindSchema = word(["oauth_code", "oauth_redirect", "device_code", "api_key", "external"]);
export type AuthKind = z.output<typeof authKindSchema>;

export const authSchema = z.object({ credential_ref: maybe(text), instructions: maybe(text), kind: authKindSchema });
export type Auth = z.output<typeof authSchema>;

/** One value that a person can choose for a run. */
export const choiceSchema = z.object({ description: z.prefault(text, ""), id: text, label: text });
export type Choice = z.output<typeof choiceSchema>;

export const installedSchema = z.object({ path: text, version: text });
export type Installed = z.output<typeof installedSchema>;

export const openLinkSchema = z.object({ label: text, url: maybe(text) });
export type OpenLink = z.output<typeof openLinkSchema>;

/** Something else that a person can choose for a run, by the provider's own names. */
export const runOptionSchema = z.object({ choices: list(choiceSchema), id: text, label: text });
export type RunOption = z.output<typeof runOptionSchema>;

export const providerInfoSchema = z.object({
  auth: authSchema, capabilities: list(text), compat: compatVerdictSchema, display_name: text, efforts: list(choiceSchema), id: text,
  installed: maybe(installedSchema), models: list(choiceSchema), open: maybe(openLinkSchema), options: list(runOptionSchema),
  permission_modes: list(choiceSchema), pinned_version: text,
});
export type ProviderInfo = z.output<typeof providerInfoSchema>;

export const providersSchema = z.object({ providers: list(providerInfoSchema) });
export type Providers = z.output<typeof providersSchema>;

/** What a CLI says about being signed in. Whether the vendor still takes the credential shows with the next turn. */
export const authStatusSchema = z.object({ account: maybe(text), checked_at: text, logged_in: z.boolean(), method: maybe(text) });
export type AuthStatus = z.output<typeof authStatusSchema>;

/** A login that waits for a person. */
export const loginStartedSchema = z.object({ expires_at: maybe(text), url: maybe(text), user_code: maybe(text) });
export type LoginStarted = z.output<typeof loginStartedSchema>;

export const notResumedSchema = z.object({ id: text, problem: problemSchema });
export type NotResumed = z.output<typeof notResumedSchema>;

export const regainedRunsSchema = z.object({ failed: list(notResumedSchema), resumed: list(runSchema) });
export type RegainedRuns = z.output<typeof regainedRunsSchema>;

export const runsSchema = z.object({ cursor: text, runs: list(runSchema) });
export type Runs = z.output<typeof runsSchema>;

/** What became of the worktree of a forgotten run. */
export const worktreeLeftSchema = z.object({
  branch: text, branch_removed: z.boolean(), hint: maybe(text), parked: z.boolean(), path: maybe(text), reasons: list(text),
});
export type WorktreeLeft = z.output<typeof worktreeLeftSchema>;

/** A run that is in no list any more. */
export const forgottenSchema = z.object({ id: text, worktree: maybe(worktreeLeftSchema) });
export type Forgotten = z.output<typeof forgottenSchema>;

/** A person's answer to one question. */
export const answerSchema = z.object({ other_text: maybe(text), selected: z.prefault(list(z.number()), []) });
export type Answer = z.output<typeof answerSchema>;

export const auditEntrySchema = z.extend(receiptSchema, {
  answers: maybe(list(answerSchema)), dialog: maybe(dialogSchema), discuss: maybe(text), text: maybe(text),
});
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** Who sent or answered what, when, and through which door. */
export const auditSchema = z.object({ entries: list(auditEntrySchema) });
export type Audit = z.output<typeof auditSchema>;

export const commandRoleSchema = word(["clear", "compact", "context", "plan", "model", "login", "logout", "exit"]);
export type CommandRole = z.output<typeof commandRoleSchema>;

/** Where a command comes from. */
export const commandSourceSchema = word(["builtin", "project", "user", "plugin"]);
export type CommandSource = z.output<typeof commandSourceSchema>;

/** One command that a person can type in the CLI. */
export const commandSpecSchema = z.object({
  arg_hint: maybe(text), chat_safe: z.boolean(), description: text, hint: maybe(text), name: text, role: maybe(commandRoleSchema),
  source: commandSourceSchema,
});
export type CommandSpec = z.output<typeof commandSpecSchema>;

export const commandsSchema = z.object({ commands: list(commandSpecSchema) });
export type Commands = z.output<typeof commandsSchema>;

/** One native conversation of a run. Its id is the CLI's own identity for it. */
export const epochSchema = z.object({ id: text, reason: text, started_at: text });
export type Epoch = z.output<typeof epochSchema>;

export const transcriptStatusSchema = word(["locating", "available", "gone"]);
export type TranscriptStatus = z.output<typeof transcriptStatusSchema>;

/** One page, and everything that a page needs to show beside it. */
export const messagesSchema = z.object({
  context_usage: maybe(contextUsageSchema), cursor: text, epoch: text, epochs: list(epochSchema), has_more: z.boolean(),
  messages: list(messageSchema), pending_dialog: maybe(dialogSchema), pending_dialogs: list(dialogSchema), queued: list(queuedReplySchema),
  receipts: list(receiptSchema), run_id: text, state: runStateSchema, tail: maybe(streamingTailSchema), transcript: transcriptStatusSchema,
});
export type Messages = z.output<typeof messagesSchema>;

export const queuedSchema = z.object({ queued: list(queuedReplySchema) });
export type Queued = z.output<typeof queuedSchema>;

export const tokenListSchema = z.object({ tokens: list(tokenInfoSchema) });
export type TokenList = z.output<typeof tokenListSchema>;

export const healthSchema = z.object({ status: text, version: text });
export type Health = z.output<typeof healthSchema>;

export type Adopt = { native_id: string; provider: string; };

export type AnswerRequest = {
  answers?: ({ other_text?: string | null; selected?: (number)[]; })[] | null; client_id?: string | null; dialog_id: string;
  discuss?: string | null;
};

export type Code = { code: string; };

export type EditRequest = { before?: string | null; text?: string | null; when?: "now" | "after_turn" | null; };

export type NewRun = {
  cwd: string; effort?: string | null; model?: string | null; options?: Record<string, string>; permission_mode?: string | null;
  prompt?: string | null; provider: string; seed?: boolean | null; title?: string | null;
  worktree?: { base?: string | null; branch: string; } | null;
};

export type NewToken = { name: string; scope?: "full" | "read_only"; };

export type Nothing = Record<string, unknown>;

export type PairRequest = { name?: string | null; scope?: "full" | "read_only"; };

export type RedeemRequest = { code: string; name?: string | null; };

export type ReplyRequest = { client_id?: string | null; force?: boolean; text: string; when?: "now" | "after_turn"; };

export type RunChange = { title: string; };

export type SignIn = { token: string; };

export type StopRequest = { force?: boolean; };
