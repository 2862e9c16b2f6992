import { Check, CheckCheck, MessageCircle, X } from "lucide-react";
import { at } from "../format.ts";
import { strings } from "../strings.ts";
import type { CardProps } from "./dialog-card.tsx";
import { answeredBy } from "./dialog-stage.ts";

type Pair = readonly [question: string, answer: string];

function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  if (pairs.length === 0) return null;
  return (
    <dl>
      {pairs.map(([question, answer]) => (
        <div key={question}>
          <dt className={question === "" ? "vh" : undefined}>{question === "" ? strings.dialog.answered : question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In the order in which it was asked: the record has an order of its own. */
function inOrder(dialog: CardProps["dialog"], pairs: readonly Pair[]): readonly Pair[] {
  const place = ([text]: Pair) => dialog.questions.findIndex((question) => question.text === text);
  return pairs.toSorted((a, b) => place(a) - place(b));
}

type Props = Pick<CardProps, "dialog" | "stage" | "said" | "talked" | "receipt" | "mine" | "terminal" | "ended" | "note" | "failure" | "now">;

/** When it was answered, where a receipt knows. */
function When({ receipt, now }: Pick<CardProps, "receipt" | "now">) {
  const time = receipt && receipt.status !== "failed" ? at(receipt.at, now) : "";
  return time === "" ? null : <time dateTime={receipt?.at}>{time}</time>;
}

/** How far the answer got, and what was chosen, in the record's words where it has some. */
export function DialogState(props: Props) {
  const { dialog, stage, said = [], talked, receipt, mine, terminal, ended, note, failure, now } = props;
  const words = strings.dialog;
  const { outcome } = dialog;
  const chosen: readonly Pair[] = talked ? [[words.talked, talked]] : said.map((answer, i) => [dialog.questions[i]?.text ?? "", answer]);
  if (outcome) {
    const Icon = outcome.discussed ? MessageCircle : outcome.accepted ? (mine ? CheckCheck : Check) : X;
    const answers = outcome.answers.length > 0 ? inOrder(dialog, outcome.answers) : chosen;
    // What the record says when someone declines repeats the words that were chosen here.
    const detail = mine && !outcome.accepted ? undefined : outcome.detail;
    return (
      <div className="outcome">
        <p>
          <Icon size={16} strokeWidth={1.8} aria-hidden="true" />
          {answeredBy(outcome, receipt, mine, terminal)}
          <When receipt={receipt} now={now} />
          {detail !== undefined && <span className="quiet">{detail}</span>}
        </p>
        <Pairs pairs={answers} />
      </div>
    );
  }
  if (stage === "sent" || stage === "recorded") {
    const Icon = stage === "sent" ? Check : CheckCheck;
    return (
      <div className="outcome" role="status">
        <p>
          <Icon size={16} strokeWidth={1.8} aria-hidden="true" />
          {stage === "sent" ? words.sent : (talked === undefined ? words.by : words.discussedBy)["you"]}
          <When receipt={receipt} now={now} />
          {stage === "sent" && <span className="quiet">{ended ? words.sentEnded : words.sentHint}</span>}
        </p>
        <Pairs pairs={chosen} />
      </div>
    );
  }
  if (stage !== "over" || failure) return null;
  return (
    <div className="outcome">
      <p role="status">{note?.kind === "elsewhere" ? words.elsewhere : words.over}</p>
    </div>
  );
}
