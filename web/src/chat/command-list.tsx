import type { CommandSpec } from "../api/schema.ts";
import { strings } from "../strings.ts";

export const commandOption = (list: string, at: number): string => `${list}-${at}`;

/** On a phone the keyboard leaves little room. */
const show = (option: HTMLElement | null) => option?.scrollIntoView?.({ block: "nearest" });

type Props = { id: string; found: CommandSpec[]; active: number; onChoose: (command: CommandSpec) => void };

/** The slash commands that fit what is typed. The field keeps the focus. */
export function CommandList({ id, found, active, onChoose }: Props) {
  const words = strings.composer.commands;
  return (
    <div className="commands" id={id} role="listbox" aria-label={words.label}>
      {found.map((command, at) => (
        <div
          key={command.name}
          id={commandOption(id, at)}
          role="option"
          aria-selected={at === active}
          ref={at === active ? show : undefined}
          data-command={command.name}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(command);
          }}
        >
          <span className="command-name">
            /{command.name}
            {command.arg_hint !== undefined && <em> {command.arg_hint}</em>}
          </span>
          <span className="command-about">{command.description}</span>
          {command.source !== "builtin" && <span className="badge">{words.sources[command.source]}</span>}
        </div>
      ))}
    </div>
  );
}
