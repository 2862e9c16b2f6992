import { Check } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { isAnswered, missing, noPick, toAnswer } from "../state/answers.ts";
import { strings } from "../strings.ts";
import type { CardProps } from "./dialog-card.tsx";
import { QuestionOptions } from "./question-options.tsx";

type Props = Pick<CardProps, "dialog" | "picks" | "onPick" | "onAnswer"> & { busy: boolean };

const words = strings.dialog;

/** One question, or several behind tabs. It can be sent when each has an answer. */
export function QuestionForm({ dialog, picks, busy, onPick, onAnswer }: Props) {
  const { questions } = dialog;
  const open = missing(picks);
  const [at, setAt] = useState(open[0] ?? 0);
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();
  const question = questions[at] ?? questions[0];
  if (!question) return null;
  const several = questions.length > 1;
  const name = (i: number) => questions[i]?.header || strings.dialog.question(1);

  function go(to: number, focus: boolean) {
    const next = (to + questions.length) % questions.length;
    setAt(next);
    const tab = tabs.current?.children[next];
    if (focus && tab instanceof HTMLElement) tab.focus({ preventScroll: true });
    tabs.current?.scrollIntoView({ block: "nearest" });
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(at + step, true);
  }
  function send() {
    if (open.length === 0 && !busy) onAnswer(picks.map(toAnswer));
  }

  return (
    <div className="answer">
      {several && (
        <div ref={tabs} className="tabs" role="tablist" aria-label={words.tabs}>
          {questions.map((one, i) => (
            <button
              key={one.text}
              type="button"
              role="tab"
              id={`${id}-tab-${i}`}
              aria-selected={i === at}
              aria-controls={`${id}-panel`}
              tabIndex={i === at ? 0 : -1}
              onClick={() => go(i, false)}
              onKeyDown={onKeyDown}
            >
              {isAnswered(picks[i] ?? noPick) && (
                <>
                  <Check size={14} strokeWidth={2} aria-hidden="true" />
                  <span className="vh">{words.answeredTab}: </span>
                </>
              )}
              {name(i)}
            </button>
          ))}
        </div>
      )}
      <div {...(several ? { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": `${id}-tab-${at}` } : {})}>
        <QuestionOptions key={at} question={question} pick={picks[at] ?? noPick} onPick={(pick) => onPick(at, pick)} onSend={send} />
      </div>
      <div className="acts">
        <p className="acts-hint" id={`${id}-missing`}>
          {open.length > 0 && (several ? words.missing(open.map(name)) : question.free_text ? words.missingOne : words.missingChoice)}
        </p>
        {several && (
          <button type="button" className="btn" onClick={() => go(at + 1, false)}>
            {words.next}
          </button>
        )}
        <button type="button" className="btn primary" aria-disabled={open.length > 0 || busy} aria-describedby={`${id}-missing`} onClick={send}>
          {busy ? words.sending : words.send}
        </button>
      </div>
    </div>
  );
}
