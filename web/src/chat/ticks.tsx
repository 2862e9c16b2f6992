import { Check, CheckCheck, Clock, TriangleAlert } from "lucide-react";
import type { Receipt } from "../api/schema.ts";
import { whose } from "../state/whose.ts";
import { strings } from "../strings.ts";

/** Where a message came from, if not from here. Nothing where nobody knows. */
export function From({ receipt }: { receipt: Receipt }) {
  const who = whose(receipt);
  const { words, quiet, other } = strings.from;
  return quiet.includes(who) ? null : <span className="from">{words[who] ?? other(who)}</span>;
}

type Props = { status: Receipt["status"]; detail?: string | undefined };

const icons = { accepted: Clock, queued: Clock, typed: Check, recorded: CheckCheck, failed: TriangleAlert, unknown: Clock };

/** How far a message got. Quiet: words only while they say something that the ticks don't. */
export function Ticks({ status, detail }: Props) {
  const Icon = icons[status];
  const word = strings.receipt[status];
  const spoken = detail === undefined || status === "recorded" ? word : `${word}: ${detail}`;
  return (
    <span className={`ticks ${status}`} title={spoken}>
      <Icon size={14} strokeWidth={1.8} aria-hidden="true" />
      {status === "recorded" ? <span className="vh">{word}</span> : spoken}
    </span>
  );
}
