import type { Message } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Cut, type OnWhole } from "./cut.tsx";

type Props = { message: Message; onWhole: OnWhole };

/** What a person wrote stands as it was written; what the agent wrote is markdown. */
export function TextBody({ message, onWhole }: Props) {
  const text = message.text ?? "";
  return (
    <>
      {message.role === "user" ? <div className="bubble">{text}</div> : <Markdown text={text} />}
      <Cut message={message} onWhole={onWhole} />
    </>
  );
}
