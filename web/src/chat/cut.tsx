import type { Message } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";

export type OnWhole = ((position: string) => Promise<void>) | undefined;

/** Says that a body was cut for the wire, with the way to the whole of it where there is one. */
export function Cut({ message, onWhole }: { message: Message; onWhole: OnWhole }) {
  const { busy, problem, run } = useAction();
  if (!message.cut) return null;
  return (
    <>
      <p className="quiet">
        {strings.tool.cut}{" "}
        {onWhole && (
          <button type="button" className="link" disabled={busy} onClick={() => void run(() => onWhole(message.position))}>
            {strings.tool.all}
          </button>
        )}
      </p>
      <Problem problem={problem} />
    </>
  );
}
