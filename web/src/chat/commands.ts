/** Which slash commands a draft asks for. Pure. */
import type { CommandSpec } from "../api/schema.ts";

/** As many as a list shows without becoming a page of its own. */
const MOST = 8;

/** What was typed behind the slash, while it is still a name: once a blank follows, the command is chosen. */
export function asked(draft: string): string | undefined {
  return /^\/(\S*)$/.exec(draft)?.[1];
}

/** The best first: the name begins with it, then has it, then the description or the hint does. */
export function matching(commands: readonly CommandSpec[], typed: string): CommandSpec[] {
  const wanted = typed.toLowerCase();
  const rank = ({ name, description, arg_hint }: CommandSpec): number => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.includes(wanted)) return 1;
    return `${description} ${arg_hint ?? ""}`.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((it) => it.rank < 3)
    .toSorted((a, b) => a.rank - b.rank || a.command.name.localeCompare(b.command.name))
    .slice(0, MOST)
    .map((it) => it.command);
}

/** What the draft becomes when one is chosen. */
export const chosen = ({ name }: CommandSpec): string => `/${name} `;
