import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";

type Props = {
  why: string;
  /** What the process said before it ended, if it ended too early. */
  lastWords: string | undefined;
  onResume: (() => Promise<void>) | undefined;
};

/** Where an ended run says that it has ended, and how it goes on. */
export function Ended({ why, lastWords, onResume }: Props) {
  const { busy, problem, run } = useAction();
  return (
    <div className="closed">
      <p>{why}</p>
      {lastWords !== undefined && <pre>{lastWords}</pre>}
      <Problem problem={problem} />
      {onResume && (
        <button type="button" className="btn" aria-disabled={busy} onClick={() => void (busy || run(onResume))}>
          {busy ? strings.composer.resuming : strings.composer.resume}
        </button>
      )}
    </div>
  );
}
