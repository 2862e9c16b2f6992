/** Builders for tests: whole values of the wire, with only what a test is about spelled out. */
import { messageSchema, queuedSchema, receiptSchema, runSchema, snapshotSchema, type Dialog, type Message, type QueuedReply, type Receipt, type Run, type Snapshot } from "../api/schema.ts";
import { fromSnapshot, type Conversation } from "../state/conversation.ts";

export const sampleRun = (change: Partial<Run> = {}): Run => ({
  ...runSchema.parse({
    id: "r1",
    provider: "p1",
    title: "A run",
    state: "idle",
    cwd: "/work/shop",
    origin: "spawned",
    epoch: "e1",
    created_at: "2026-01-01T10:00:00Z",
    last_activity_at: "2026-01-01T10:00:00Z",
    pending_dialogs: 0,
    queued: 0,
    compat: "verified",
    warnings: [],
    demo: false,
  }),
  ...change,
});

export const sampleMessage = (position: string, change: Partial<Message> = {}): Message => ({
  ...messageSchema.parse({ position, kind: "text", role: "assistant", text: `text at ${position}`, revision: 1 }),
  ...change,
});

export const sampleTool = (position: string, change: Partial<NonNullable<Message["tool"]>> = {}): Message =>
  sampleMessage(position, {
    kind: "tool",
    text: undefined,
    tool: { call_id: `c${position}`, name: "Read", title: "Read a.rs", input: {}, status: "ok", ...change },
  });

export const sampleReceipt = (change: Partial<Receipt> = {}): Receipt => ({
  ...receiptSchema.parse({ id: "x1", kind: "reply", status: "accepted", door: "keys", by: "page", at: "2026-01-01T10:00:00Z" }),
  ...change,
});

export const sampleHeld = (change: Partial<QueuedReply> = {}): QueuedReply => ({
  ...queuedSchema.parse({ id: "x1", text: "held words", when: "now", cause: "dialog", reason: "A question is open.", by: "browser", at: "2026-01-01T10:00:00Z" }),
  ...change,
});

export const sampleSnapshot = (messages: Message[], change: Partial<Snapshot> = {}): Snapshot => ({
  ...snapshotSchema.parse({
    run_id: "r1",
    epoch: "e1",
    epochs: [{ id: "e1", reason: "startup", started_at: "2026-01-01T10:00:00Z" }],
    messages: [],
    has_more: false,
    state: "idle",
    pending_dialog: null,
    pending_dialogs: [],
    queued: [],
    context_usage: null,
    cursor: "1",
    transcript: "available",
    tail: null,
    receipts: [],
  }),
  messages,
  ...change,
});

export const sampleConversation = (messages: Message[], change: Partial<Conversation> = {}): Conversation => ({
  ...fromSnapshot(sampleSnapshot(messages)),
  ...change,
});

/** A dialog of two questions that can be answered here. */
export const sampleAsked = (change: Partial<Dialog> = {}): Dialog => ({
  id: "d1",
  kind: "question",
  title: "Two things",
  body: "",
  questions: [
    { header: "Colour", text: "Which colour?", options: ["Red", "Blue", "Green"].map((label) => ({ label, description: `${label}, plainly` })), multi_select: false, free_text: true },
    { header: "Toppings", text: "Which toppings?", options: ["Ham", "Olives", "Corn"].map((label) => ({ label, description: "" })), multi_select: true, free_text: true },
  ],
  answerable: true,
  can_discuss: false,
  channel: "live",
  ...change,
});
