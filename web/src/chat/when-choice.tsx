import { useId } from "react";
import type { SendWhen } from "../api/schema.ts";
import { strings } from "../strings.ts";

type Props = { chosen: SendWhen; onChoose: (when: SendWhen) => void };

const choices = [
  ["now", strings.composer.now],
  ["after_turn", strings.composer.afterTurn],
] as const;

/** Into the turn that is under way, or behind it. */
export function WhenChoice({ chosen, onChoose }: Props) {
  const name = useId();
  return (
    <div className="when" role="radiogroup" aria-label={strings.composer.when} title={strings.composer.laterHint} aria-keyshortcuts={strings.composer.laterKeys}>
      {choices.map(([when, label]) => (
        <label key={when} className={when === chosen ? "on" : undefined}>
          <input type="radio" name={name} checked={when === chosen} onChange={() => onChoose(when)} />
          {label}
        </label>
      ))}
    </div>
  );
}
