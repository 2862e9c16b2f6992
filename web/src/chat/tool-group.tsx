import type { Message, Receipt } from "../api/schema.ts";
import { strings } from "../strings.ts";
import type { OnWhole } from "./cut.tsx";
import { RecordRow } from "./record.tsx";
import { ToolLine } from "./tool-line.tsx";

type Props = { messages: readonly Message[]; answers: readonly Receipt[]; now: number; onWhole: OnWhole };

/** Calls that follow one another. Hidden records between them, when wanted, stand in their place and count as nothing. */
export function ToolGroup({ messages, answers, now, onWhole }: Props) {
  const calls = messages.filter(({ tool }) => tool !== undefined).length;
  return (
    <ul className="tools" aria-label={strings.tool.group(calls)}>
      {messages.map((message) =>
        message.tool ? (
          <ToolLine
            key={message.position}
            message={message}
            tool={message.tool}
            answer={answers.find(({ dialog_id }) => dialog_id === message.tool?.call_id)}
            now={now}
            onWhole={onWhole}
          />
        ) : (
          <li key={message.position} className="tool-item">
            <RecordRow message={message} />
          </li>
        ),
      )}
    </ul>
  );
}
