import { memo } from "react";
import type { Run } from "../api/schema.ts";
import { age, folder } from "../format.ts";
import { toRun } from "../state/route.ts";
import { DemoBadge, DialogCount, StateDot } from "../ui/state.tsx";

type Props = { run: Run; current: boolean; now: number };

export const RunRow = memo(({ run, current, now }: Props) => (
  <li>
    <a className={`run ${run.state}`} href={toRun(run.id)} aria-current={current ? "page" : undefined}>
      <StateDot state={run.state} />
      <span className="run-title">
        <b>{run.title}</b>
        {run.demo && <DemoBadge />}
        {run.state === "question" && run.pending_dialogs > 1 && <DialogCount count={run.pending_dialogs} />}
      </span>
      <time dateTime={run.last_activity_at}>{age(run.last_activity_at, now)}</time>
      {run.last_line !== undefined && run.last_line !== "" && <span className="run-line">{run.last_line}</span>}
      <span className="run-place" title={run.cwd}>
        {folder(run.cwd)}
        {run.branch !== undefined && ` · ${run.branch}`}
      </span>
    </a>
  </li>
));
RunRow.displayName = "RunRow";
