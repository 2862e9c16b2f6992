import { X } from "lucide-react";
import { AttachLine } from "../chat/attach-line.tsx";
import { strings } from "../strings.ts";

type Props = { command: string; copied: boolean; onClose: () => void };

export function AttachPanel({ command, copied, onClose }: Props) {
  return (
    <section className="strip attach" aria-label={strings.attach.title}>
      <p role="status">
        <b>{copied ? strings.attach.copied : strings.attach.title}.</b> {copied ? strings.attach.hint : strings.attach.failed}
      </p>
      <AttachLine command={command} />
      <button type="button" className="btn ghost icon" aria-label={strings.attach.close} onClick={onClose}>
        <X size={16} strokeWidth={1.6} aria-hidden="true" />
      </button>
    </section>
  );
}
