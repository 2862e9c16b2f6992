import { TriangleAlert } from "lucide-react";
import type { Message } from "../api/schema.ts";
import { at } from "../format.ts";
import { strings } from "../strings.ts";

type Props = { message: Message; now: number };

/** Something that happened to the conversation itself: one quiet line across the thread. */
export function LifecycleRow({ message, now }: Props) {
  const event = message.lifecycle?.event ?? "unknown";
  const detail = message.lifecycle?.detail?.trim() ?? "";
  const long = detail.includes("\n") || detail.length > 90;
  const loud = event === "warning" || event === "api_error";
  const time = at(message.time, now);
  return (
    <div className={`life${event === "cleared" ? " knot plain" : ""}${loud ? " loud" : ""}`}>
      <p>
        {loud && <TriangleAlert size={16} strokeWidth={1.6} aria-hidden="true" />}
        <span>
          {strings.lifecycle[event]}
          {!long && detail !== "" && `: ${detail}`}
        </span>
        {time !== "" && <time dateTime={message.time}>{time}</time>}
      </p>
      {long && (
        <pre tabIndex={0} role="group" aria-label={strings.lifecycle[event]}>
          {detail}
        </pre>
      )}
    </div>
  );
}
