import { useState } from "react";
import type { Conversation } from "../state/conversation.ts";
import { strings } from "../strings.ts";

type Props = { conversation: Conversation; agent: string };

/** Tells a screen reader what the agent said last: once, when it is complete, and nothing of what stood there before. */
export function Announcer({ conversation, agent }: Props) {
  const last = conversation.messages.findLast(
    ({ kind, role, thinking, abandoned }) => !abandoned && kind === "text" && role === "assistant" && !thinking,
  );
  const [first] = useState(last?.position);
  const fresh = last !== undefined && last.position !== first;
  const text = last?.text ?? "";
  const [before] = useState(() => new Set(conversation.pendingDialogs.map(({ id }) => id)));
  const asked = conversation.pendingDialogs.findLast(({ id }) => !before.has(id));
  return (
    <>
      <p className="vh" role="status">
        {fresh ? strings.conversation.announced(agent, text.slice(0, 300)) : ""}
      </p>
      <p className="vh" role="status">
        {asked ? strings.dialog.announced(agent, asked.title.slice(0, 300)) : ""}
      </p>
    </>
  );
}
