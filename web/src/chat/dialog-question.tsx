import type { Question } from "../api/schema.ts";
import { strings } from "../strings.ts";

type Props = { question: Question; alone: boolean };

export function DialogQuestion({ question, alone }: Props) {
  return (
    <div className="asked">
      <p className="asked-text">
        {!alone && question.header !== "" && <span className="tag">{question.header}</span>}
        {question.text}
      </p>
      {question.options.length > 0 && (
        <ol className="options">
          {question.options.map((option, i) => (
            <li key={option.label}>
              <kbd aria-hidden="true">{i + 1}</kbd>
              <div>
                <b>{option.label}</b>
                {option.description !== "" && <span>{option.description}</span>}
                {option.preview !== undefined && (
                  <pre tabIndex={0} role="group" aria-label={strings.dialog.preview}>
                    {option.preview}
                  </pre>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      <p className="quiet">
        {question.multi_select ? strings.dialog.many : strings.dialog.one}
        {question.free_text ? `, ${strings.dialog.other}.` : "."}
      </p>
    </div>
  );
}
