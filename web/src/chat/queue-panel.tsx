import { useMemo } from "react";
import type { Conversation } from "../state/conversation.ts";
import { dismissQueueNote, dropEdit, move, remove, saveEdit, sendHeld, startEdit, typeEdit, undo } from "../state/queueing.ts";
import { useApp } from "../state/store.ts";
import { Queue } from "./queue.tsx";
import type { Shared } from "./shared.ts";

type Props = { conversation: Conversation; shared: Pick<Shared, "run" | "now" | "onWords"> };

const quiet = {};

/** Joins what the server holds with what a person does about it. */
export function QueuePanel({ conversation, shared }: Props) {
  const { run, now, onWords } = shared;
  const queueing = useApp((state) => state.queueing[run]) ?? quiet;
  const acts = useMemo(
    () => ({
      onSend: (entry: Parameters<typeof sendHeld>[1]) => void sendHeld(run, entry),
      onEdit: (entry: Parameters<typeof startEdit>[1]) => startEdit(run, entry),
      onType: (text: string) => typeEdit(run, text),
      onSave: () => void saveEdit(run),
      onCancel: () => dropEdit(run),
      onMove: (id: string, step: -1 | 1) => void move(run, id, step),
      onRemove: (entry: Parameters<typeof remove>[1]) => void remove(run, entry),
      onUndo: () => void undo(run),
      onDismiss: () => dismissQueueNote(run),
      onWords: (text: string) => {
        onWords(text);
        dismissQueueNote(run);
      },
    }),
    [run, onWords],
  );
  return <Queue run={run} queued={conversation.queued} receipts={conversation.receipts} queueing={queueing} now={now} {...acts} />;
}
