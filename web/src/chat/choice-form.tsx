import { useId } from "react";
import { noPick } from "../state/answers.ts";
import { strings } from "../strings.ts";
import type { CardProps } from "./dialog-card.tsx";
import { WordsField } from "./words-field.tsx";

type Props = Pick<CardProps, "dialog" | "picks" | "onPick" | "onAnswer"> & { busy: boolean };

/** A plan or a permission: one press answers. The last option says no, and only it takes words along. */
export function ChoiceForm({ dialog, picks, busy, onPick, onAnswer }: Props) {
  const hint = useId();
  const [question] = dialog.questions;
  if (!question) return null;
  const { options, free_text: free } = question;
  const plan = dialog.kind === "plan";
  const pick = picks[0] ?? noPick;
  const last = options.length - 1;
  const written = pick.words.trim();

  function press(at: number) {
    if (busy) return;
    const along = at === last && free && written !== "";
    onAnswer([{ selected: [at], ...(along ? { other_text: written } : {}) }]);
  }
  const button = (at: number, look: string) => {
    const option = options[at];
    return (
      option && (
        <button key={option.label} type="button" className={`btn decide ${look}`} aria-disabled={busy} onClick={() => press(at)}>
          <b>{option.label}</b>
          {option.description !== "" && <small>{option.description}</small>}
        </button>
      )
    );
  };

  return (
    <div className="answer">
      <p className="asked-text">{question.text}</p>
      <div className="choices">{options.slice(0, last).map((_, i) => button(i, i === 0 ? "primary" : ""))}</div>
      <div className="no">
        {free && last > 0 && (
          <div className="no-words" role="group" aria-describedby={hint}>
            <WordsField
              label={plan ? strings.dialog.change : strings.dialog.instead}
              value={pick.words}
              onChange={(words) => onPick(0, { ...pick, words })}
            />
          </div>
        )}
        {button(last, plan ? "" : "danger")}
      </div>
      <p className="acts-hint" id={hint} role="status">
        {busy ? strings.dialog.sending : written !== "" && last > 0 ? strings.dialog.goesWith(options[last]?.label ?? "") : ""}
      </p>
    </div>
  );
}
