import type { Message } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";

type Props = { message: Message; onWhole: (position: string) => Promise<void> };

/** What a person wrote stands as it was written; what the agent wrote is markdown. */
export function TextBody({ message, onWhole }: Props) {
  const { busy, problem, run } = useAction();
  const text = message.text ?? "";
  return (
    <>
      {message.role === "user" ? <div className="bubble">{text}</div> : <Markdown text={text} />}
      {message.cut && (
        <p className="quiet">
          {strings.tool.cut}{" "}
          <button type="button" className="link" disabled={busy} onClick={() => void run(() => onWhole(message.position))}>
            {strings.tool.all}
          </button>
        </p>
      )}
      <Problem problem={problem} />
    </>
  );
}
