import { Check, CheckCheck, CirclePause, Clock, ListChecks, MessageSquare, Send, TriangleAlert } from "lucide-react";
import type { AuditEntry } from "../api/schema.ts";
import { exactly } from "../format.ts";
import { provedBy, saidIn } from "../state/audit.ts";
import { toMessage } from "../state/route.ts";
import { whose } from "../state/whose.ts";
import { strings } from "../strings.ts";

type Props = { run: string; epoch: string; entry: AuditEntry; words: string | null | undefined; now: number };

const says = strings.audit;
const kinds = { reply: MessageSquare, answer: ListChecks, interrupt: CirclePause, unknown: Send };
const marks = { accepted: Clock, queued: Clock, typed: Check, recorded: CheckCheck, failed: TriangleAlert, unknown: Clock };

function What({ entry, words }: Pick<Props, "entry" | "words">) {
  if (entry.kind === "interrupt") return <p className="audit-words quiet">{says.interrupted}</p>;
  if (entry.discuss !== undefined) {
    return (
      <dl className="audit-words">
        <div>
          <dt>{says.discussed}</dt>
          {entry.discuss !== "" && <dd>{entry.discuss}</dd>}
        </div>
      </dl>
    );
  }
  const pairs = saidIn(entry);
  if (pairs.length > 0) {
    return (
      <dl className="audit-words">
        {pairs.map(([question, answer]) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    );
  }
  const text = entry.text ?? words;
  if (text === undefined || text === null) return <p className="audit-words quiet">{text === null ? says.lost : says.wordless}</p>;
  return <p className="audit-words said">{text}</p>;
}

/** One thing that was sent: what, by whom, when, through which door, and what became of it. */
export function AuditRow({ run, epoch, entry, words, now }: Props) {
  const { kind, status, door, detail, dialog } = entry;
  const Kind = kinds[kind];
  const Mark = marks[status];
  const target = provedBy(entry, epoch);
  const who = whose(entry);
  return (
    <li className={`audit-entry ${status}`}>
      <header>
        <Kind size={16} strokeWidth={1.6} aria-hidden="true" />
        <b>{says.kinds[kind]}</b>
        <span>{says.who[who] ?? who}</span>
        <time dateTime={entry.at} title={entry.at}>
          {exactly(entry.at, now)}
        </time>
      </header>
      {dialog && !dialog.questions.some(({ text }) => text === dialog.title) && <p className="audit-about">{dialog.title}</p>}
      <What entry={entry} words={words} />
      <footer>
        <span className={`audit-status ${status}`}>
          <Mark size={14} strokeWidth={1.8} aria-hidden="true" />
          {says.status[status]}
        </span>
        <span className="quiet">{says.doors[door]}</span>
        {target && (
          <a className="link" href={toMessage(run, target)}>
            {says.show}
          </a>
        )}
        {detail !== undefined && <p className={status === "failed" ? "problem" : "quiet"}>{detail}</p>}
      </footer>
    </li>
  );
}
