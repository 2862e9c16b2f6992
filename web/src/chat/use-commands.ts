import { useEffect, useState, type KeyboardEvent } from "react";
import type { CommandSpec } from "../api/schema.ts";
import { asked, chosen, matching } from "./commands.ts";

type Completion = {
  /** What fits. Empty: nothing is shown. */
  found: CommandSpec[];
  active: number;
  choose: (command: CommandSpec) => void;
  /** Whether the key was for the list. */
  onKey: (event: KeyboardEvent) => boolean;
};

/** Completion of slash commands. They are asked for when somebody begins to type one, since they change with files. */
export function useCommands(draft: string, load: (() => Promise<CommandSpec[]>) | undefined, onDraft: (text: string) => void): Completion {
  const typed = asked(draft);
  const wanted = typed !== undefined && load !== undefined;
  const [commands, setCommands] = useState<CommandSpec[]>([]);
  const [active, setActive] = useState(0);
  /** The draft at which a person closed the list. */
  const [closedAt, setClosedAt] = useState<string>();

  useEffect(() => {
    if (!wanted) return;
    let current = true;
    // Without them one types as before.
    load().then(
      (found) => current && setCommands(found),
      () => current && setCommands([]),
    );
    return () => {
      current = false;
    };
    // Once for each slash that is begun, however often the page is drawn.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  useEffect(() => setActive(0), [typed]);

  const found = wanted && closedAt !== draft ? matching(commands, typed) : [];
  const choose = (command: CommandSpec) => onDraft(chosen(command));

  function onKey(event: KeyboardEvent): boolean {
    const one = found[active];
    if (one === undefined || event.nativeEvent.isComposing) return false;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? found.length - 1 : 0;
    if (step > 0) setActive((active + step) % found.length);
    else if (event.key === "Escape") setClosedAt(draft);
    // Enter sends what is written out already.
    else if (event.key === "Tab" || (event.key === "Enter" && one.name !== typed && !event.shiftKey)) choose(one);
    else return false;
    event.preventDefault();
    return true;
  }
  return { found, active, choose, onKey };
}
