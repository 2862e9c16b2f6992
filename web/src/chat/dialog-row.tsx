import { useMemo } from "react";
import type { Answer } from "../api/schema.ts";
import { answerKey, leftover, picksOf, receiptOf, type Pick } from "../state/answers.ts";
import { dismissAnswer, dismissNote, pick, sendAnswer, sendTalk, talk } from "../state/answering.ts";
import { usePrefs } from "../state/prefs.ts";
import type { Row } from "../state/rows.ts";
import { useApp } from "../state/store.ts";
import { DialogCard } from "./dialog-card.tsx";
import { stageOf } from "./dialog-stage.ts";
import type { Shared } from "./shared.ts";

type Props = { row: Extract<Row, { type: "dialog" }>; shared: Shared };

/** Joins what the record says of a dialog, what waits now, what a person chose here, and what became of it. */
export function DialogRow({ row, shared }: Props) {
  const { run, ended, attach, now, onWords } = shared;
  const { dialog, asks, receipt, terminal } = row;
  const key = answerKey(run, dialog.id);
  const draft = usePrefs((state) => state.answers[key]);
  const act = useApp((state) => state.answering[key]);
  const mine = useApp((state) => receiptOf(state.conversations[run], draft));
  const shown = useMemo(() => (asks ? { ...asks, body: asks.body === "" ? dialog.body : asks.body } : dialog), [asks, dialog]);
  const stage = stageOf({ dialog, asks, mine, act, ended });
  const failed = [mine, receipt].find((one) => one?.status === "failed");
  const own = mine !== undefined && mine.status !== "failed";
  const written = stage === "over" || stage === "settled" ? leftover(draft) : "";

  return (
    <DialogCard
      dialog={shown}
      stage={stage}
      picks={picksOf(shown, draft)}
      said={own || stage === "sending" ? draft?.sent?.said : undefined}
      talk={draft?.talk}
      talked={own || stage === "sending" ? draft?.sent?.talk : undefined}
      receipt={own ? mine : receipt}
      mine={own}
      terminal={terminal}
      ended={ended}
      failure={failed && { detail: failed.detail }}
      problem={act?.problem}
      note={act?.note}
      written={act?.note?.words || written}
      attach={attach}
      now={now}
      onPick={(index: number, chosen: Pick) => pick(run, shown, index, chosen)}
      onAnswer={(answers: Answer[]) => void sendAnswer(run, shown, answers)}
      onTalk={(said) => talk(run, shown, said)}
      onDiscuss={(words) => void sendTalk(run, shown, words)}
      onWords={(words) => {
        onWords(words);
        if (stage === "waiting") dismissNote(run, dialog.id);
        else dismissAnswer(run, dialog.id);
      }}
      onDismiss={() => (stage === "waiting" || stage === "reading" ? dismissNote(run, dialog.id) : dismissAnswer(run, dialog.id))}
    />
  );
}
