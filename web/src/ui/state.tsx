import type { Dialog, RunState } from "../api/schema.ts";
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

type PillProps = { state: RunState; dialogs: readonly Dialog[] };

/** What waits, in its own words: one dialog may hold several questions, and a plan is no question. */
export function waits(dialogs: readonly Dialog[]): string {
  const [kind, ...others] = new Set(dialogs.map((dialog) => dialog.kind));
  if (kind === undefined || kind === "unknown" || others.length > 0) return strings.waits.dialogs(dialogs.length);
  const questions = dialogs.reduce((sum, dialog) => sum + Math.max(1, dialog.questions.length), 0);
  return strings.waits[kind](kind === "question" ? questions : dialogs.length);
}

export function StatePill({ state, dialogs }: PillProps) {
  const words = state === "question" && dialogs.length > 0 ? waits(dialogs) : strings.state[state];
  return <span className={`pill ${state}`}>{words}</span>;
}

export function DemoBadge() {
  return (
    <span className="badge" title={strings.runs.demoHint}>
      {strings.runs.demo}
    </span>
  );
}

/** More than one dialog waits; one is what the dot says already. */
export function DialogCount({ count }: { count: number }) {
  return (
    <span className="badge asks">
      <span aria-hidden="true">{count}</span>
      <span className="vh">{strings.waits.dialogs(count)}</span>
    </span>
  );
}
