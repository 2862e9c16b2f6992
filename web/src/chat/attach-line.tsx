import { strings } from "../strings.ts";
import { CopyButton } from "../ui/copy-button.tsx";

/** The command that opens the same live terminal, to read and to copy. */
export function AttachLine({ command }: { command: string }) {
  return (
    <div className="attach-line">
      <pre tabIndex={0} role="group" aria-label={strings.attach.title}>
        <code>{command}</code>
      </pre>
      <CopyButton text={command} label={strings.attach.copy} done={strings.attach.copied} />
    </div>
  );
}
