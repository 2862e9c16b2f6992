import type { RunState } from "../api/schema.ts";
import { strings } from "../strings.ts";

type DotProps = { state: RunState };

/** Form and colour both say it; the word is there for who sees neither. */
export function StateDot({ state }: DotProps) {
  return (
    <span className={`dot ${state}`}>
      <span className="vh">{strings.state[state]}</span>
    </span>
  );
}

type PillProps = { state: RunState; questions: number };

export function StatePill({ state, questions }: PillProps) {
  const words = state === "question" && questions > 0 ? strings.dialogs(questions) : strings.state[state];
  return <span className={`pill ${state}`}>{words}</span>;
}

export function DemoBadge() {
  return (
    <span className="badge" title={strings.runs.demoHint}>
      {strings.runs.demo}
    </span>
  );
}

/** More than one question waits; one is what the dot says already. */
export function DialogCount({ count }: { count: number }) {
  return (
    <span className="badge asks">
      <span aria-hidden="true">{count}</span>
      <span className="vh">{strings.dialogs(count)}</span>
    </span>
  );
}
