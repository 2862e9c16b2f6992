import type { Run } from "../api/schema.ts";
import { groups } from "../state/runs.ts";
import { strings } from "../strings.ts";
import { useNow } from "../ui/clock.ts";
import { Notice } from "../ui/notice.tsx";
import { RunRow } from "./run-row.tsx";

type Props = { runs: Record<string, Run> | null; current: string | undefined; words: string };

export function RunList({ runs, current, words }: Props) {
  const now = useNow();
  if (!runs) return <Notice title={strings.runs.loading} busy />;
  const all = Object.values(runs);
  if (all.length === 0) return <Notice title={strings.runs.none} hint={strings.runs.noneHint} />;
  const shown = groups(all, words);
  if (shown.length === 0) return <Notice title={strings.runs.noMatch(words)} />;
  return shown.map(({ name, runs: own }) => (
    <section key={name} className={`group ${name}`} aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`}>{strings.runs.groups[name]}</h2>
      <ul>
        {own.map((run) => (
          <RunRow key={run.id} run={run} current={run.id === current} now={now} />
        ))}
      </ul>
    </section>
  ));
}
