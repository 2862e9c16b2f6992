import { ChevronRight } from "lucide-react";
import { useRef } from "react";
import type { QueuedReply, Receipt } from "../api/schema.ts";
import { waitsForDecision, type Queueing } from "../state/queue.ts";
import { whose } from "../state/whose.ts";
import { strings } from "../strings.ts";
import { QueueEntry, type EntryActs } from "./queue-entry.tsx";
import { useQueueFocus, useQueueKeys } from "./queue-focus.ts";
import { QueueNoteLine } from "./queue-note.tsx";
import { useToggled } from "./toggled.ts";

type Props = EntryActs & {
  run: string;
  queued: readonly QueuedReply[];
  receipts: Readonly<Record<string, Receipt>>;
  queueing: Queueing;
  now: number;
  onUndo: () => void;
  onWords: (text: string) => void;
  onDismiss: () => void;
};

function fromWhere(entry: QueuedReply, receipt: Receipt | undefined): string | undefined {
  const who = receipt ? whose(receipt) : entry.by;
  const { words, quiet, other } = strings.from;
  return quiet.includes(who) ? undefined : (words[who] ?? other(who));
}

/** Every reply that the server holds for this run, from whatever device: first what a person has to decide, then the rest in its order. */
export function Queue({ run, queued, receipts, queueing, now, onUndo, onWords, onDismiss, ...acts }: Props) {
  const [open, toggle] = useToggled(`queue:${run}`, true);
  const panel = useRef<HTMLElement>(null);
  useQueueFocus(panel, queueing, queued.map(({ id }) => id).join(" "));
  useQueueKeys(panel, acts.onMove, acts.onCancel);
  const decisions = queued.filter(waitsForDecision);
  const line = queued.filter((entry) => !waitsForDecision(entry));
  const folds = line.length > 1;
  const draw = (entry: QueuedReply, at?: number) => (
    <QueueEntry
      key={entry.id}
      {...acts}
      entry={entry}
      from={fromWhere(entry, receipts[entry.id])}
      place={at === undefined ? undefined : { at, of: line.length }}
      queueing={queueing}
      now={now}
    />
  );
  return (
    <section ref={panel} className={`queue${queued.length === 0 ? " empty" : ""}`} aria-label={strings.queue.title(queued.length)} tabIndex={-1}>
      <p className="vh" role="status">
        {queued.length > 0 && strings.queue.title(queued.length)} {queueing.said}
      </p>
      {queued.length > 0 && (
        <div className="queue-scroll">
          {decisions.length > 0 && <ul className="held-list">{decisions.map((entry) => draw(entry))}</ul>}
          {line.length > 0 && folds && (
            <button type="button" className="queue-fold" aria-expanded={open} onClick={toggle}>
              <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
              {strings.queue.title(line.length)}
            </button>
          )}
          {line.length > 0 && !folds && <p className="queue-fold">{strings.queue.title(line.length)}</p>}
          {line.length > 0 && (open || !folds) && <ol className="held-list line">{line.map((entry, at) => draw(entry, at))}</ol>}
        </div>
      )}
      <QueueNoteLine queueing={queueing} onUndo={onUndo} onWords={onWords} onDismiss={onDismiss} />
    </section>
  );
}
