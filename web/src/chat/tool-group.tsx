import type { Message } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { ToolLine } from "./tool-line.tsx";

type Props = { messages: readonly Message[]; onWhole: (position: string) => Promise<void> };

export function ToolGroup({ messages, onWhole }: Props) {
  return (
    <ul className="tools" aria-label={strings.tool.group(messages.length)}>
      {messages.map(
        (message) =>
          message.tool && <ToolLine key={message.position} message={message} tool={message.tool} onWhole={onWhole} />,
      )}
    </ul>
  );
}
