import type { ContextUsage } from "../api/schema.ts";
import { tokens } from "../format.ts";
import { strings } from "../strings.ts";

export function ContextMeter({ usage }: { usage: ContextUsage }) {
  if (usage.limit <= 0) return null;
  const percent = Math.min(100, Math.round((usage.used / usage.limit) * 100));
  const label = strings.header.context(tokens(usage.used), tokens(usage.limit));
  return (
    <span className="meter-wrap" title={label}>
      <span className="meter" role="meter" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className="meta" aria-hidden="true">
        {strings.header.percent(percent)}
      </span>
    </span>
  );
}
