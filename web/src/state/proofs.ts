/** Which receipt belongs to which message or dialog. Pure. */
import type { Receipt } from "../api/schema.ts";
import type { Conversation } from "./conversation.ts";

export type Answers = {
  /** The answer to a dialog, by its id; by the message that proves it where the receipt names no dialog. */
  of: (dialog: string, position?: string) => Receipt | undefined;
};

export const noAnswers: Answers = { of: () => undefined };

const all = ({ receipts }: Conversation, kind: Receipt["kind"]) => Object.values(receipts).filter((receipt) => receipt.kind === kind);

/** The receipts of replies, by the message that proves each. A place of another epoch is another place. */
export function proofs(conversation: Conversation): Map<string, Receipt> {
  const here = all(conversation, "reply").filter(({ epoch }) => epoch === undefined || epoch === conversation.epoch);
  return new Map(here.flatMap((receipt) => (receipt.position === undefined ? [] : [[receipt.position, receipt]])));
}

/** One that the record shows says more than one that came to nothing; of two alike the later one counts. */
const rank = ({ status }: Receipt): number => (status === "recorded" ? 2 : status === "failed" ? 0 : 1);

export function answersOf(conversation: Conversation): Answers {
  const byDialog = new Map<string, Receipt>();
  const byPosition = new Map<string, Receipt>();
  for (const receipt of all(conversation, "answer")) {
    const [map, key] = receipt.dialog_id === undefined ? [byPosition, receipt.position] : [byDialog, receipt.dialog_id];
    const had = key === undefined ? undefined : map.get(key);
    if (key !== undefined && (!had || rank(receipt) > rank(had) || (rank(receipt) === rank(had) && receipt.at >= had.at))) map.set(key, receipt);
  }
  return { of: (dialog, position) => byDialog.get(dialog) ?? (position === undefined ? undefined : byPosition.get(position)) };
}

/** The ids of dialogs that were seen waiting and that nobody answered through the server. */
export function leftToTerminal(conversation: Conversation): ReadonlySet<string> {
  const onTheirWay = all(conversation, "answer").filter(({ status }) => status !== "failed");
  // One that does not name its dialog, and no place yet, may be for any of them.
  if (onTheirWay.some(({ dialog_id, position }) => dialog_id === undefined && position === undefined)) return new Set();
  const answered = new Set(onTheirWay.map(({ dialog_id }) => dialog_id));
  return new Set(conversation.watched.filter((id) => !answered.has(id)));
}
