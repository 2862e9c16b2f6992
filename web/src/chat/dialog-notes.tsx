import { TriangleAlert } from "lucide-react";
import { strings } from "../strings.ts";
import type { CardProps } from "./dialog-card.tsx";

/** Why the answer of a moment ago did not go to this dialog. */
export function NoteLine({ note, stage }: Pick<CardProps, "note" | "stage">) {
  if (!note || note.kind === "elsewhere" || stage === "settled") return null;
  return (
    <p className="card-note" role="status">
      {strings.dialog[note.kind]}
    </p>
  );
}

/** Loud: what was answered here is not what the record shows. */
export function Failure({ failure, stage, onDismiss }: Pick<CardProps, "failure" | "stage" | "onDismiss">) {
  if (!failure) return null;
  return (
    <div className="card-failure" role="alert">
      <p>
        <TriangleAlert size={16} strokeWidth={1.8} aria-hidden="true" />
        {failure.detail ?? strings.dialog.failed}
      </p>
      {stage === "over" && (
        <button type="button" className="btn ghost" onClick={onDismiss}>
          {strings.dialog.dismiss}
        </button>
      )}
    </div>
  );
}

/** The server's words about why not. Everything that was chosen stands where it stood. */
export function Problem({ problem }: Pick<CardProps, "problem">) {
  if (!problem) return null;
  return (
    <p className="problem card-problem" role="alert">
      {problem.message}
      {problem.hint !== undefined && <small>{problem.hint}</small>}
    </p>
  );
}

/** Words that were not sent are not lost. */
export function Written({ written, note, failure, onWords, onDismiss }: Pick<CardProps, "written" | "note" | "failure" | "onWords" | "onDismiss">) {
  // A card that a message keeps says why by itself, and stays.
  const kept = note !== undefined && (note.kind !== "elsewhere" || note.dialog !== undefined);
  if (written === "" && !kept) return null;
  return (
    <div className="card-written">
      {written !== "" && (
        <p>
          <span className="quiet">{strings.dialog.written}</span> {written}
        </p>
      )}
      {written !== "" && (
        <button type="button" className="btn" onClick={() => onWords(written)}>
          {strings.dialog.toComposer}
        </button>
      )}
      {!failure && (
        <button type="button" className="btn ghost" onClick={onDismiss}>
          {strings.dialog.dismiss}
        </button>
      )}
    </div>
  );
}
