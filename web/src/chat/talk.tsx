import { useCallback, useMemo, useState } from "react";
import { keptDialogs } from "../state/answers.ts";
import { topOf } from "../state/chain.ts";
import type { Conversation as Said } from "../state/conversation.ts";
import { readOlder } from "../state/live.ts";
import type { Pending } from "../state/outbox.ts";
import { usePrefs } from "../state/prefs.ts";
import type { Target } from "../state/route.ts";
import { isSaid, rowBuilder, type View } from "../state/rows.ts";
import { useApp } from "../state/store.ts";
import { epochsOf } from "../state/thread.ts";
import { olderOfEpoch } from "../state/threads.ts";
import { Conversation } from "./conversation.tsx";
import { JumpNote } from "./jump-note.tsx";
import { KnotRow } from "./knot.tsx";
import type { Shared } from "./shared.ts";
import { useJump } from "./use-jump.ts";
import { StateNotice } from "./state-notice.tsx";

function useKeptDialogs(conversation: Said, run: string) {
  const answers = usePrefs((state) => state.answers);
  const answering = useApp((state) => state.answering);
  return useMemo(() => keptDialogs(conversation, answers, answering, run), [conversation, answers, answering, run]);
}

type Props = { conversation: Said; pending: readonly Pending[]; folds: ReadonlySet<string>; target: Target | undefined; shared: Shared };

/** The conversation of a run with what a person opened in it, or the sentence that stands for none. */
export function Talk({ conversation, pending, folds, target, shared }: Props) {
  const { run, hidden, ended } = shared;
  const threads = useApp((state) => state.threads);
  const earlier = useMemo(() => epochsOf(threads, run), [threads, run]);
  const [build] = useState(rowBuilder);
  const kept = useKeptDialogs(conversation, run);
  const rows = useMemo(() => {
    const view: View = { hidden, folds, earlier, kept };
    return build(conversation, pending, view);
  }, [build, conversation, pending, hidden, folds, earlier, kept]);
  const jump = useJump(shared, rows, target);
  const top = topOf(conversation, earlier);
  const epoch = top.epoch;
  const onOlder = useCallback(() => (epoch === undefined ? readOlder(run) : olderOfEpoch(run, epoch)), [run, epoch]);

  const said = rows.some(isSaid);
  const knot = said ? undefined : rows.find((row) => row.type === "knot");
  const records = !said && rows.some((row) => row.type === "record");
  return (
    <>
      <JumpNote jump={jump} />
      {!said && (
        <StateNotice transcript={conversation.transcript} ended={ended}>
          {knot && <KnotRow row={knot} now={shared.now} onEarlier={shared.onEarlier} />}
        </StateNotice>
      )}
      {(said || records) && (
        <Conversation
          rows={said ? rows : rows.filter((row) => row.type === "record")}
          hasMore={top.hasMore}
          oldest={top.oldest}
          marked={jump.row}
          shared={shared}
          onOlder={onOlder}
        />
      )}
    </>
  );
}
