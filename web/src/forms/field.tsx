import { useId, type ReactNode } from "react";
import type { ApiError } from "../api/http.ts";
import type { Choice } from "../api/schema.ts";
import { strings } from "../strings.ts";

type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean };
type FieldProps = { label: string; hint?: string; problem?: ApiError | null; children: (wiring: Wiring) => ReactNode };

/** A label, a control, a hint, and the server's word when it did not like what stands there. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": hint || problem ? about : undefined, "aria-invalid": problem != null })}
      <div id={about}>
        {problem && (
          <p className="problem" role="alert">
            {problem.message}
            {problem.hint !== undefined && <small>{problem.hint}</small>}
          </p>
        )}
        {!problem && hint !== undefined && hint !== "" && <p className="hint">{hint}</p>}
      </div>
    </div>
  );
}

type SelectProps = { label: string; choices: readonly Choice[]; value: string; problem: ApiError | null; onChange: (id: string) => void };

export function ChoiceField({ label, choices, value, problem, onChange }: SelectProps) {
  if (choices.length === 0) return null;
  return (
    <Field label={label} problem={problem} hint={choices.find((choice) => choice.id === value)?.description ?? ""}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{strings.form.standard}</option>
          {choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
