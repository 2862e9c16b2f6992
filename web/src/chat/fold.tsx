import { ChevronRight } from "lucide-react";
import { strings } from "../strings.ts";

type Props = { count: number; open: boolean; onToggle: () => void };

/** A branch that a person rewound away from: one quiet line, and its messages below once it is opened. */
export function FoldRow({ count, open, onToggle }: Props) {
  return (
    <div className="life fold">
      <button type="button" className="link" aria-expanded={open} onClick={onToggle}>
        <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
        {strings.left.fold(count)}
      </button>
    </div>
  );
}
