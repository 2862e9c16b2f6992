import { TriangleAlert } from "lucide-react";
import type { Warning } from "../api/schema.ts";
import { strings } from "../strings.ts";

export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="strip" aria-label={strings.warnings}>
      {warnings.map((warning) => (
        <p key={`${warning.code}:${warning.message}`}>
          <TriangleAlert size={16} strokeWidth={1.6} aria-hidden="true" />
          <span>
            {warning.message}
            {warning.hint !== undefined && <small> {warning.hint}</small>}
          </span>
        </p>
      ))}
    </section>
  );
}
