/** The list of runs: groups by urgency, newest first, filtered by words. Pure. */
import type { Run, RunState } from "../api/schema.ts";

export type GroupName = "waiting" | "working" | "idle" | "ended";
export type Group = { name: GroupName; runs: Run[] };

const groupOf: Record<RunState, GroupName> = {
  question: "waiting",
  needs_input: "waiting",
  working: "working",
  idle: "idle",
  unknown: "idle",
  ended: "ended",
};
const urgency: RunState[] = ["question", "needs_input", "working", "idle", "unknown", "ended"];
const order: GroupName[] = ["waiting", "working", "idle", "ended"];

export function byUrgency(a: Run, b: Run): number {
  return (
    urgency.indexOf(a.state) - urgency.indexOf(b.state) ||
    Date.parse(b.last_activity_at) - Date.parse(a.last_activity_at) ||
    a.id.localeCompare(b.id)
  );
}

export function matches(run: Run, words: string): boolean {
  const text = [run.title, run.cwd, run.branch, run.last_line].join("\n").toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function groups(runs: Iterable<Run>, words: string): Group[] {
  const sorted = [...runs].filter((run) => matches(run, words)).toSorted(byUrgency);
  return order.flatMap((name) => {
    const own = sorted.filter((run) => groupOf[run.state] === name);
    return own.length > 0 ? [{ name, runs: own }] : [];
  });
}

/** The list that was asked for, without undoing what the stream told while it was on its way. */
export function mergeRuns(had: Record<string, Run>, listed: readonly Run[], changed: ReadonlySet<string>): Record<string, Run> {
  const runs: Record<string, Run> = {};
  for (const run of listed) {
    const kept = changed.has(run.id) ? had[run.id] : run;
    if (kept) runs[run.id] = kept;
  }
  for (const id of changed) if (had[id]) runs[id] = had[id];
  return runs;
}
