import { ChevronRight } from "lucide-react";
import type { Message } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { useToggled } from "./toggled.ts";

const words = strings.record;
/** More than a line shows anywhere. */
const FIRST = 200;

/** A record that is not part of the talk, as the server kept it. For who looks behind the page. */
export function RecordRow({ message }: { message: Message }) {
  const [open, toggle] = useToggled(`record:${message.position}`, false);
  const event = message.lifecycle?.event ?? "unknown";
  const detail = (message.lifecycle?.detail ?? message.text ?? "").trim();
  const line = detail.slice(0, FIRST).replaceAll(/\s+/g, " ");
  const parts = [event === "hidden" ? "" : words.kept, detail === "" && event === "hidden" ? words.nothing : line];
  const said = (
    <>
      <span className="record-word">{words.words[event] ?? event}</span>
      <span className="record-line">{parts.filter((part) => part !== "").join(" · ")}</span>
    </>
  );
  if (detail === "") return <p className="record">{said}</p>;
  return (
    <div className="record">
      <button type="button" aria-expanded={open} onClick={toggle}>
        {said}
        <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
      </button>
      {open && (
        <pre tabIndex={0} role="group" aria-label={strings.lifecycle[event]}>
          {detail}
        </pre>
      )}
    </div>
  );
}
