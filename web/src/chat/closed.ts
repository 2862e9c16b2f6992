import type { Run } from "../api/schema.ts";
import { strings } from "../strings.ts";

/** Why nothing can be sent to this run any more; undefined while something can. */
export function closedBecause(run: Run): string | undefined {
  if (run.state !== "ended") return undefined;
  if (run.exit?.code !== undefined) return strings.composer.endedBy(strings.tool.exit(run.exit.code));
  if (run.exit?.signal !== undefined) return strings.composer.endedBy(strings.composer.signal(run.exit.signal));
  return strings.composer.ended;
}
