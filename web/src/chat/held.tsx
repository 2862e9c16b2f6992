import type { QueuedReply } from "../api/schema.ts";
import { strings } from "../strings.ts";

/** Replies that wait with the server, sent from elsewhere. */
export function Held({ queued }: { queued: readonly QueuedReply[] }) {
  if (queued.length === 0) return null;
  return (
    <ul className="held">
      {queued.map((entry) => (
        <li key={entry.id}>
          <span>{strings.queue.held}</span>
          <b>{entry.text}</b>
          <small>{entry.reason}</small>
        </li>
      ))}
    </ul>
  );
}
