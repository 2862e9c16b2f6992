/** The list of everything that was sent to a run, and the file of it. Pure. */
import { list } from "../api/reading.ts";
import { auditEntrySchema, type AuditEntry, type Receipt, type Run } from "../api/schema.ts";
import { spoken } from "./answers.ts";
import type { Target } from "./route.ts";

const entries = list(auditEntrySchema);

/** Newest first. One that this page cannot read is left out here, and is in the file all the same. */
export const readAudit = (raw: readonly unknown[]): AuditEntry[] => (entries.safeParse(raw).data ?? []).toReversed();

/** What the stream said since then. Null if it told of something that is not in the list yet. */
export function withReceipts(audit: readonly AuditEntry[], receipts: Readonly<Record<string, Receipt>>): AuditEntry[] | null {
  const known = new Set(audit.map(({ id }) => id));
  if (Object.keys(receipts).some((id) => !known.has(id))) return null;
  return audit.map((entry) => {
    const newer = receipts[entry.id];
    return newer ? { ...entry, ...newer } : entry;
  });
}

/** The message that proves it. */
export function provedBy({ status, position, epoch }: AuditEntry, current: string): Target | undefined {
  return status === "recorded" && position !== undefined ? { position, epoch: epoch ?? current } : undefined;
}

/** What was answered, question by question. */
export function saidIn({ dialog, answers }: AuditEntry): readonly (readonly [question: string, answer: string])[] {
  if (!dialog || !answers) return [];
  return dialog.questions.map((question, i) => {
    const answer = answers[i];
    return [question.text, answer ? spoken(dialog.kind, question, answer) : ""] as const;
  });
}

/** What is saved: the entries as the server gave them, each with its words where the record has shown them here. */
export function auditFile(run: Run, raw: readonly unknown[], words: Readonly<Record<string, string>>, now: Date): { name: string; text: string } {
  const whole = raw.map((entry) => {
    if (typeof entry !== "object" || entry === null || "text" in entry || !("id" in entry)) return entry;
    const text = words[String(entry.id)];
    return text === undefined ? entry : { ...entry, text };
  });
  const about = { id: run.id, title: run.title, provider: run.provider, cwd: run.cwd };
  const name = `seamux-${run.id.replaceAll(/[^\w-]+/g, "-")}-${now.toISOString().slice(0, 10)}.json`;
  return { name, text: `${JSON.stringify({ run: about, saved_at: now.toISOString(), entries: whole }, null, 2)}\n` };
}
