import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import type { QueuedReply } from "../api/schema.ts";
import { at } from "../format.ts";
import { canSend, type Queueing } from "../state/queue.ts";
import { strings } from "../strings.ts";
import { CauseIcon } from "./queue-icon.tsx";
import { QueueEdit } from "./queue-edit.tsx";

const words = strings.queue;
const icon = { size: 16, strokeWidth: 1.6, "aria-hidden": true } as const;

export type EntryActs = {
  onSend: (entry: QueuedReply) => void;
  onEdit: (entry: QueuedReply) => void;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
  onMove: (id: string, step: -1 | 1) => void;
  onRemove: (entry: QueuedReply) => void;
};
type Props = EntryActs & {
  entry: QueuedReply;
  /** From where, if not from here. */
  from: string | undefined;
  /** Its place among those that go out by themselves, and how many they are. Absent: a person decides. */
  place: { at: number; of: number } | undefined;
  queueing: Queueing;
  now: number;
};

/** A reply that is held: what it says, why it waits, and what can be done about it. */
export function QueueEntry({ entry, from, place, queueing, now, onSend, onEdit, onType, onSave, onCancel, onMove, onRemove }: Props) {
  const { id, text, cause, when, reason } = entry;
  const busy = queueing.busy === id;
  const editing = queueing.editing?.id === id ? queueing.editing : undefined;
  const problem = queueing.problem?.id === id ? queueing.problem : undefined;
  const send = canSend(entry, queueing.forced);
  const decision = cause === "epoch" || cause === "doubt" ? cause : undefined;
  const sendWord = decision ? words.here[decision] : send === "anyway" ? words.anyway : words.now;
  const time = at(entry.at, now);
  const several = place !== undefined && place.of > 1;

  const step = (by: -1 | 1, blocked: boolean) => {
    const Icon = by < 0 ? ArrowUp : ArrowDown;
    return (
      <button
        type="button"
        className="btn ghost icon"
        data-act={by < 0 ? "up" : "down"}
        aria-label={by < 0 ? words.up : words.down}
        title={by < 0 ? words.up : words.down}
        aria-keyshortcuts={words.keys}
        aria-disabled={blocked || busy}
        onClick={() => !blocked && onMove(id, by)}
      >
        <Icon {...icon} />
      </button>
    );
  };
  return (
    <li className={`held${decision ? " decision" : ""}`} data-entry={id} aria-busy={busy}>
      {decision && <b className="held-title">{words.decide[decision]}</b>}
      {editing ? (
        <QueueEdit editing={editing} busy={busy} onType={onType} onSave={onSave} onCancel={onCancel} />
      ) : (
        <p className="held-text">{text}</p>
      )}
      <p className="held-why">
        <CauseIcon cause={cause} />
        <span>
          {reason === "" ? words.causes[cause] : reason}
          <small>
            {[when === "after_turn" && cause !== "turn" ? words.afterTurn : "", from ?? "", time].filter((word) => word !== "").join(" · ")}
          </small>
        </span>
      </p>
      {problem && (
        <p className="problem" role="alert">
          {problem.message}
          {problem.hint !== undefined && <small>{problem.hint}</small>}
        </p>
      )}
      {!editing && (
        <div className="held-acts">
          {several && step(-1, place.at === 0)}
          {several && step(1, place.at === place.of - 1)}
          <button type="button" className="btn ghost icon" data-act="edit" aria-label={words.editOf(text.slice(0, 80))} title={words.edit} onClick={() => onEdit(entry)}>
            <Pencil {...icon} />
          </button>
          <button type="button" className={decision ? "btn danger" : "btn ghost"} data-act="remove" onClick={() => onRemove(entry)}>
            <Trash2 {...icon} />
            {words.remove}
          </button>
          {send !== undefined && (
            <button type="button" className={send === "now" ? "btn" : "btn primary"} data-act="send" aria-disabled={busy} onClick={() => onSend(entry)}>
              {sendWord}
            </button>
          )}
        </div>
      )}
    </li>
  );
}
