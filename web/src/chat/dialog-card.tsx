import { ChevronRight } from "lucide-react";
import { useId, useRef } from "react";
import type { Answer, Dialog, Receipt } from "../api/schema.ts";
import type { Note, Pick, Talk } from "../state/answers.ts";
import { strings } from "../strings.ts";
import { AttachLine } from "./attach-line.tsx";
import { ChoiceForm } from "./choice-form.tsx";
import { DialogBody } from "./dialog-body.tsx";
import { Failure, NoteLine, Problem, Written } from "./dialog-notes.tsx";
import { DialogQuestion } from "./dialog-question.tsx";
import { useDigits, useKeptFocus } from "./dialog-focus.ts";
import { asking, kindWord, lineOf, type Stage } from "./dialog-stage.ts";
import { DialogState } from "./dialog-state.tsx";
import { DiscussForm } from "./discuss-form.tsx";
import { QuestionForm } from "./question-form.tsx";
import { useToggled } from "./toggled.ts";

export type CardProps = {
  dialog: Dialog;
  stage: Stage;
  picks: readonly Pick[];
  /** What was handed over, in words, one for each question. */
  said: readonly string[] | undefined;
  /** What the person would say before they answer, and what of it was handed over. */
  talk: Talk | undefined;
  talked: string | undefined;
  receipt: Receipt | undefined;
  mine: boolean;
  terminal: boolean;
  ended: boolean;
  failure: { detail: string | undefined } | undefined;
  problem: { message: string; hint: string | undefined } | undefined;
  note: Note | undefined;
  /** Words that were not sent. */
  written: string;
  attach: string | undefined;
  now: number;
  onPick: (index: number, pick: Pick) => void;
  onAnswer: (answers: Answer[]) => void;
  onTalk: (talk: Talk) => void;
  onDiscuss: (words: string) => void;
  onWords: (words: string) => void;
  onDismiss: () => void;
};

/** What the agent asks: to answer where the server can hand an answer over, else to read; then what became of it. */
export function DialogCard(props: CardProps) {
  const { dialog, stage, attach } = props;
  const [open, toggle] = useToggled(`card:${dialog.id}`, true);
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card, stage);
  useDigits(card, stage === "waiting");
  const title = useId();
  const { questions } = dialog;
  const asks = asking(stage);
  const form = stage === "waiting" || stage === "sending";
  const twice = questions.length === 1 && questions[0]?.text === dialog.title;
  const Form = dialog.kind === "plan" || dialog.kind === "approval" ? ChoiceForm : QuestionForm;
  return (
    <section
      ref={card}
      role="group"
      aria-labelledby={title}
      tabIndex={-1}
      data-dialog={dialog.id}
      className={`card ${dialog.kind}${asks ? "" : " settled"}${open ? "" : " folded"}`}
    >
      <header>
        <button type="button" className="card-fold" aria-expanded={open} onClick={toggle}>
          <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
          <span>{kindWord(dialog)}</span>
          {!open && <b>{lineOf(dialog)}</b>}
        </button>
        {asks && <small>{form ? strings.dialog.also : strings.dialog.open}</small>}
      </header>
      {open && <NoteLine {...props} />}
      <h3 id={title} className={twice || !open || dialog.title === kindWord(dialog) ? "vh" : "card-title"}>
        {dialog.title === "" ? kindWord(dialog) : dialog.title}
      </h3>
      {open && (
        <>
          <DialogBody dialog={dialog} />
          {form ? (
            <>
              <Form {...props} busy={stage === "sending"} />
              {dialog.can_discuss && <DiscussForm {...props} busy={stage === "sending"} />}
            </>
          ) : (
            (stage === "reading" || (stage === "over" && dialog.kind === "question" && !props.note)) &&
            questions.map((question) => <DialogQuestion key={question.text} question={question} alone={questions.length === 1} />)
          )}
          <DialogState {...props} />
          <Failure {...props} />
          <Problem problem={props.problem} />
          <Written {...props} />
          {stage === "reading" && (
            <footer>
              <p>{strings.dialog.where}</p>
              {attach !== undefined && <AttachLine command={attach} />}
            </footer>
          )}
        </>
      )}
    </section>
  );
}
