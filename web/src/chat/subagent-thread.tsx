import { useMemo, useState } from "react";
import type { Tool } from "../api/schema.ts";
import { plainView, rowBuilder, type View } from "../state/rows.ts";
import { asConversation, type Thread } from "../state/thread.ts";
import { olderOfSubagent, readSubagent, readWholeOfSubagent } from "../state/threads.ts";
import { strings } from "../strings.ts";
import type { Place } from "./place.ts";
import type { Shared } from "./shared.ts";
import { useFolds } from "./toggled.ts";

const words = strings.subagent;

/** Not yet, never, and gone are three sentences. */
function nothing(thread: Thread, running: boolean): string {
  if (thread.transcript === "gone") return words.gone;
  return running || thread.transcript === "locating" ? words.none : words.never;
}

type Props = { place: Place; agent: string; thread: Thread; task: string; status: Tool["status"] };

/** A subagent's own small conversation along a thinner seam. Tools in it open as everywhere, its subagents too. */
export function SubagentThread({ place, agent, thread, task, status }: Props) {
  const { shared: outer, RowView } = place;
  const { run } = outer;
  const scope = `${run}/agent/${agent}`;
  const [folds, onFold] = useFolds(scope);
  const [build] = useState(rowBuilder);
  const shared = useMemo(
    (): Shared => ({
      ...outer,
      scope,
      agent: strings.who.subagent,
      you: strings.who.task,
      onWhole: (position) => readWholeOfSubagent(run, agent, position),
      onFold,
    }),
    [outer, scope, onFold, run, agent],
  );
  const rows = useMemo(() => {
    const view: View = { ...plainView, hidden: outer.hidden, folds, own: agent };
    return build(asConversation(thread, `agent/${agent}`), [], view);
  }, [build, thread, agent, folds, outer.hidden]);
  const { failure, read, busy } = thread;
  return (
    <div className="sub-thread" role="group" aria-label={words.label(task)} aria-busy={busy !== ""}>
      {thread.hasMore && (
        <button type="button" className="link" aria-disabled={busy === "older"} onClick={() => void olderOfSubagent(run, agent)}>
          {busy === "older" ? words.readingOlder : words.older}
        </button>
      )}
      {rows.map((row) => (
        <div className="sub-row" key={row.key}>
          <RowView row={row} shared={shared} />
        </div>
      ))}
      {!read && !failure && (
        <p className="quiet reading" role="status">
          <i className="dot working" aria-hidden="true" />
          {words.reading}
        </p>
      )}
      {read && !failure && thread.messages.length === 0 && <p className="quiet">{nothing(thread, status === "running")}</p>}
      {failure && (
        <div className="problem" role="alert">
          {words.failed} {failure.message}
          <small>{failure.hint ?? words.failedHint}</small>
          <button type="button" className="btn" onClick={() => void readSubagent(run, agent)}>
            {strings.conversation.again}
          </button>
        </div>
      )}
    </div>
  );
}
