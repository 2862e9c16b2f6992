import { Check, X } from "lucide-react";
import { useId } from "react";
import type { Dialog } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { AttachLine } from "./attach-line.tsx";
import { DialogQuestion } from "./dialog-question.tsx";

function kindWord(dialog: Dialog): string {
  if (dialog.kind === "question") return strings.dialog.question(Math.max(1, dialog.questions.length));
  return strings.dialog[dialog.kind];
}

function Outcome({ outcome }: { outcome: NonNullable<Dialog["outcome"]> }) {
  const Icon = outcome.accepted ? Check : X;
  return (
    <div className="outcome">
      <p>
        <Icon size={16} strokeWidth={1.8} aria-hidden="true" />
        {outcome.accepted ? strings.dialog.answered : strings.dialog.declined}
        {outcome.detail !== undefined && <span className="quiet">{outcome.detail}</span>}
      </p>
      {outcome.answers.length > 0 && (
        <dl>
          {outcome.answers.map(([question, answer]) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

type Props = { dialog: Dialog; live: boolean; attach: string | undefined };

/** What the agent asks, to read. It is answered in the terminal, and then shows the answer. */
export function DialogCard({ dialog, live, attach }: Props) {
  const title = useId();
  const { outcome, questions } = dialog;
  const settled = outcome !== undefined || !live;
  const twice = questions.length === 1 && questions[0]?.text === dialog.title;
  return (
    <section role="group" aria-labelledby={title} className={settled ? "card settled" : "card"}>
      <header>
        <span>{kindWord(dialog)}</span>
        {!settled && <small>{strings.dialog.open}</small>}
      </header>
      {dialog.title !== "" && (
        <h3 id={title} className={twice ? "vh" : "card-title"}>
          {dialog.title}
        </h3>
      )}
      {dialog.body !== "" && (
        <div className="card-body">
          <Markdown text={dialog.body} />
        </div>
      )}
      {!outcome && questions.map((question) => <DialogQuestion key={question.text} question={question} alone={questions.length === 1} />)}
      {outcome && <Outcome outcome={outcome} />}
      {!settled && (
        <footer>
          <p>{strings.dialog.where}</p>
          {attach !== undefined && <AttachLine command={attach} />}
        </footer>
      )}
    </section>
  );
}
