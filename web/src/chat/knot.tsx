import { ChevronRight } from "lucide-react";
import { at } from "../format.ts";
import type { Row } from "../state/rows.ts";
import { strings } from "../strings.ts";

type Props = { row: Extract<Row, { type: "knot" }>; now: number; onEarlier: (epoch: string, open: boolean) => void };

const words = strings.knot;

/** Where one conversation ended and the next began, and the way back to the one before. */
export function KnotRow({ row, now, onEarlier }: Props) {
  const time = at(row.time, now);
  const { state, open, failure, previous } = row;
  const reading = state === "reading";
  return (
    <div className="life knot">
      <p>
        <span>{words.began[row.reason] ?? words.otherwise}</span>
        {time !== "" && <time dateTime={row.time}>{time}</time>}
      </p>
      <button
        type="button"
        className="link"
        aria-expanded={open}
        aria-disabled={reading}
        onClick={() => {
          if (!reading) onEarlier(previous, !open);
        }}
      >
        {reading ? <i className="dot working" aria-hidden="true" /> : <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />}
        {reading ? words.reading : open ? words.hide : words.show}
      </button>
      {failure && (
        <div className="problem" role="alert">
          {words.failed} {failure.message}
          {failure.hint !== undefined && <small>{failure.hint}</small>}
          <button type="button" className="btn" onClick={() => onEarlier(previous, true)}>
            {strings.conversation.again}
          </button>
        </div>
      )}
    </div>
  );
}
