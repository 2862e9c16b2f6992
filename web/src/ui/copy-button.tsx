import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copy } from "./copy.ts";

type Props = { text: string; label: string; done: string; quiet?: boolean };

export function CopyButton({ text, label, done, quiet = false }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className={quiet ? "btn ghost small" : "btn"}
      aria-label={quiet ? (copied ? done : label) : undefined}
      title={quiet ? label : undefined}
      onClick={() => void copy(text).then(setCopied)}
    >
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      {!quiet && (copied ? done : label)}
    </button>
  );
}
