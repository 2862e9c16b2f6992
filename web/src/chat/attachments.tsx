import type { Message } from "../api/schema.ts";
import { size } from "../format.ts";
import { strings } from "../strings.ts";

/** What a person added to their words, by name. What it holds went to the agent. */
export function Attachments({ of }: { of: Message["attachments"] }) {
  if (of.length === 0) return null;
  return (
    <ul className="attached" aria-label={strings.conversation.attached}>
      {of.map(({ kind, name, bytes }, index) => (
        <li key={index}>
          {name ?? strings.conversation.attachment[kind]}
          {bytes !== undefined && <small> {size(bytes)}</small>}
        </li>
      ))}
    </ul>
  );
}
