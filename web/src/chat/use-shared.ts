import { useMemo } from "react";
import type { Run } from "../api/schema.ts";
import { chain } from "../state/chain.ts";
import { readWhole } from "../state/live.ts";
import { usePrefs } from "../state/prefs.ts";
import { useApp } from "../state/store.ts";
import { epochsOf, threadKey } from "../state/thread.ts";
import { closeEpochs, olderOfEpoch, readEpoch, readWholeOf } from "../state/threads.ts";
import { useNow } from "../ui/clock.ts";
import type { Shared } from "./shared.ts";

const HOUR = 3_600_000;

/** Opens an earlier epoch, or closes it together with those before it. */
function earlier(run: string, epoch: string, open: boolean): void {
  const { conversations, threads } = useApp.getState();
  const conversation = conversations[run];
  if (!conversation) return;
  if (open) {
    const read = threads[threadKey.epoch(run, epoch)]?.read === true;
    void (read ? olderOfEpoch(run, epoch) : readEpoch(run, epoch));
    return;
  }
  const ids = chain(conversation, epochsOf(threads, run)).map(({ previous }) => previous.id);
  closeEpochs(run, ids.slice(ids.indexOf(epoch)));
}

function addWords(run: string, text: string): void {
  const { drafts, setDraft } = usePrefs.getState();
  const had = drafts[run] ?? "";
  setDraft(run, had === "" ? text : `${had}\n${text}`);
}

/** What the rows of a run's conversation need. One object, so that rows stay memoised. */
export function useShared(run: Run, agent: string, onFold: (key: string) => void): Shared {
  const { id } = run;
  const forget = usePrefs((state) => state.forget);
  const hidden = usePrefs((state) => state.showHidden);
  const now = Math.floor(useNow() / HOUR) * HOUR;
  const ended = run.state === "ended";
  const attach = run.attach?.command;
  return useMemo(
    (): Shared => ({
      run: id,
      scope: id,
      agent,
      attach,
      ended,
      now,
      hidden,
      onFold,
      onEarlier: (epoch, open) => earlier(id, epoch, open),
      onWhole: (position, epoch) =>
        useApp.getState().conversations[id]?.epoch === epoch ? readWhole(id, position) : readWholeOf(id, epoch, position),
      onWords: (text) => addWords(id, text),
      onBack: (clientId, text) => {
        addWords(id, text);
        forget([clientId]);
      },
      onDismiss: (clientId) => forget([clientId]),
    }),
    [agent, attach, ended, now, hidden, id, onFold, forget],
  );
}
