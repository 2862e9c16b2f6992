import { waitsForDecision, type Queueing } from "../state/queue.ts";
import { strings } from "../strings.ts";

type Props = { queueing: Queueing; onUndo: () => void; onWords: (text: string) => void; onDismiss: () => void };

const words = strings.queue;

/** What became of an entry that is no longer held: taken out, or sent a moment too early for a change. */
export function QueueNoteLine({ queueing, onUndo, onWords, onDismiss }: Props) {
  const { note, problem, busy } = queueing;
  if (!note) return null;
  const removed = note.kind === "removed" ? note.entry : undefined;
  const text = note.kind === "removed" ? note.entry.text : note.words;
  // What a person has to decide about is not held again by a press that only takes a press back.
  const again = removed !== undefined && !waitsForDecision(removed);
  const failed = removed !== undefined && problem?.id === removed.id ? problem : undefined;
  const says = { removed: words.removed, sent: text === "" ? words.sent : words.sentOld, gone: words.gone }[note.kind];
  return (
    <div className="held-note">
      <p role="status">
        {says} {text !== "" && !removed && <span className="quiet">{words.written} </span>}
        {text !== "" && <q>{text}</q>}
      </p>
      {failed && (
        <p className="problem" role="alert">
          {failed.message}
        </p>
      )}
      <div className="held-acts">
        {again && (
          <button type="button" className="btn" data-act="undo" aria-disabled={busy !== undefined} onClick={() => busy ?? onUndo()}>
            {words.undo}
          </button>
        )}
        {!again && text !== "" && (
          <button type="button" className="btn" data-act="undo" onClick={() => onWords(text)}>
            {words.toComposer}
          </button>
        )}
        <button type="button" className="btn ghost" onClick={onDismiss}>
          {words.dismiss}
        </button>
      </div>
    </div>
  );
}
