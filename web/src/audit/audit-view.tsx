import { ChevronLeft, Download } from "lucide-react";
import { useMemo, useState } from "react";
import type { Run } from "../api/schema.ts";
import { auditFile } from "../state/audit.ts";
import { toRun } from "../state/route.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";
import { useNow } from "../ui/clock.ts";
import { Notice } from "../ui/notice.tsx";
import { save } from "../ui/save.ts";
import { AuditRow } from "./audit-entry.tsx";
import { useAudit } from "./use-audit.ts";
import { useWords } from "./use-words.ts";

const words = strings.audit;
const STEP = 50;

/** Everything that was sent to a run. */
export function AuditView({ run }: { run: Run }) {
  const { id } = run;
  const { raw, entries, problem, again } = useAudit(id);
  const [wanted, setWanted] = useState(STEP);
  const shown = useMemo(() => (entries ?? []).slice(0, wanted), [entries, wanted]);
  const said = useWords(id, shown);
  const epoch = useApp((state) => state.conversations[id]?.epoch) ?? run.epoch;
  const now = useNow();
  const left = (entries?.length ?? 0) - shown.length;

  function keep() {
    const known = Object.fromEntries(Object.entries(said).flatMap(([key, text]) => (text === null ? [] : [[key, text]])));
    const { name, text } = auditFile(run, raw, known, new Date());
    save(name, text);
  }
  return (
    <section className="audit" aria-labelledby="audit-title">
      <div className="audit-in">
        <div className="audit-head">
          <a className="btn ghost" href={toRun(id)}>
            <ChevronLeft size={16} strokeWidth={1.6} aria-hidden="true" />
            {words.back}
          </a>
          {raw.length > 0 && (
            <button type="button" className="btn" onClick={keep}>
              <Download size={16} strokeWidth={1.6} aria-hidden="true" />
              {words.save}
            </button>
          )}
        </div>
        <h2 id="audit-title">{words.title}</h2>
        <p className="quiet">{words.hint}</p>
        {entries === undefined && !problem && <Notice title={words.loading} busy />}
        {problem && (
          <Notice title={words.failed} hint={problem.message}>
            <button type="button" className="btn" onClick={again}>
              {strings.conversation.again}
            </button>
          </Notice>
        )}
        {entries?.length === 0 && <Notice title={words.none} />}
        {shown.length > 0 && (
          <ol className="audit-list" aria-label={words.list}>
            {shown.map((entry) => (
              <AuditRow key={entry.id} run={id} epoch={epoch} entry={entry} words={said[entry.id]} now={now} />
            ))}
          </ol>
        )}
        {left > 0 && (
          <button type="button" className="btn more" onClick={() => setWanted(wanted + STEP)}>
            {words.more(Math.min(left, STEP))}
          </button>
        )}
      </div>
    </section>
  );
}
