import type { Message } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Attachments } from "./attachments.tsx";
import { Cut, type OnWhole } from "./cut.tsx";

type Props = { message: Message; onWhole: OnWhole };

/** What a person wrote stands as it was written; what the agent wrote is markdown. */
export function TextBody({ message, onWhole }: Props) {
  const text = message.text ?? "";
  return (
    <>
      {message.role !== "user" ? <Markdown text={text} /> : text !== "" && <div className="bubble">{text}</div>}
      <Attachments of={message.attachments} />
      <Cut message={message} onWhole={onWhole} />
    </>
  );
}
