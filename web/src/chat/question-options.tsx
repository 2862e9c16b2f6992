import { useId, useRef, type KeyboardEvent } from "react";
import type { Question } from "../api/schema.ts";
import type { Pick } from "../state/answers.ts";
import { strings } from "../strings.ts";
import { sends } from "./composer-keys.ts";
import { WordsField } from "./words-field.tsx";

type Props = { question: Question; pick: Pick; onPick: (pick: Pick) => void; onSend: () => void };

const words = strings.dialog;

/** The options of one question as rows, and the person's own words as the last of them. */
export function QuestionOptions({ question, pick, onPick, onSend }: Props) {
  const { options, multi_select: many, free_text: free } = question;
  const group = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const type = many ? "checkbox" : "radio";
  const seen = options.some(({ preview }) => preview !== undefined);

  function choose(at: number) {
    if (!many) return onPick({ ...pick, selected: [at], own: false });
    const has = pick.selected.includes(at);
    return onPick({ ...pick, selected: has ? pick.selected.filter((one) => one !== at) : [...pick.selected, at].toSorted((a, b) => a - b) });
  }
  const own = (chosen: boolean) => onPick({ ...pick, own: chosen, selected: many ? pick.selected : [] });
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
    // Enter is a new line here; with Ctrl it sends, as in the composer.
    if (!sends({ key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing: nativeEvent.isComposing }, true)) return;
    event.preventDefault();
    onSend();
  }

  return (
    <fieldset className={seen ? "options with-previews" : "options"}>
      <legend>{question.text}</legend>
      <div className="opts">
        {options.map(({ label, description, preview }, i) => {
          const on = pick.selected.includes(i);
          return (
            <div key={label} className={on ? "opt on" : "opt"}>
              <label>
                <input type={type} name={group} checked={on} data-digit={i + 1} onChange={() => choose(i)} />
                <span className="opt-words">
                  <b>{label}</b>
                  {description !== "" && <span>{description}</span>}
                </span>
                {i < 9 && <kbd aria-hidden="true">{i + 1}</kbd>}
              </label>
              {preview !== undefined && (
                <pre tabIndex={0} role="group" aria-label={words.previewOf(label)}>
                  {preview}
                </pre>
              )}
            </div>
          );
        })}
      </div>
      {free && (
        <div className={pick.own ? "opt own on" : "opt own"}>
          <input
            type={type}
            name={group}
            checked={pick.own}
            aria-label={words.ownChoice}
            data-digit={options.length + 1}
            onChange={(event) => {
              own(event.target.checked);
              field.current?.focus({ preventScroll: true });
            }}
          />
          <WordsField
            ref={field}
            label={words.own}
            value={pick.words}
            onChange={(text) => onPick({ ...pick, words: text, own: text !== "", selected: many ? pick.selected : text === "" ? pick.selected : [] })}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
    </fieldset>
  );
}
