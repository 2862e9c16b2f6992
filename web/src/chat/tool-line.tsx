import { Check, ChevronRight, Minus, X, CircleHelp } from "lucide-react";
import { useId } from "react";
import type { Message, Receipt, Tool } from "../api/schema.ts";
import { at } from "../format.ts";
import { strings } from "../strings.ts";
import { Cut, type OnWhole } from "./cut.tsx";
import { answeredBy } from "./dialog-stage.ts";
import { ToolBody } from "./tool-body.tsx";
import { aside, opensByItself, titleParts } from "./tool-words.ts";
import { useToggled } from "./toggled.ts";

const icons = { ok: Check, error: X, cancelled: Minus, unknown: CircleHelp };

function Status({ status }: { status: Tool["status"] }) {
  const Icon = status === "running" ? null : icons[status];
  return (
    <span className={`tool-status ${status}`}>
      {Icon ? <Icon size={16} strokeWidth={1.8} aria-hidden="true" /> : <i className="dot working" aria-hidden="true" />}
      <span className="vh">{strings.tool.status[status]}: </span>
    </span>
  );
}

/** Who answered the permission, and when. Loud if the record shows something else. */
function Permission({ answer, now }: { answer: Receipt; now: number }) {
  if (answer.status === "failed") return <p className="problem">{answer.detail ?? strings.dialog.failed}</p>;
  if (answer.status !== "recorded") return null;
  return (
    <p className="quiet">
      {strings.dialog.approval}: {answeredBy({ accepted: true }, answer, false, false)} <time dateTime={answer.at}>{at(answer.at, now)}</time>
    </p>
  );
}

type Props = {
  message: Message;
  tool: Tool;
  /** To the permission that this call asked for. */
  answer: Receipt | undefined;
  now: number;
  onWhole: OnWhole;
};

export function ToolLine({ message, tool, answer, now, onWhole }: Props) {
  const [open, toggle] = useToggled(tool.call_id || message.position, opensByItself(tool));
  const body = useId();
  const { text, spoken } = aside(tool);
  return (
    <li className="tool-item">
      <button type="button" className="tool" aria-expanded={open} aria-controls={open ? body : undefined} onClick={toggle}>
        <Status status={tool.status} />
        <span className="tool-title">
          {titleParts(tool).map((part) => (part.code ? <code key={part.text}>{part.text}</code> : <span key={part.text}>{part.text}</span>))}
        </span>
        <span className="tool-aside">
          {spoken === undefined ? (
            text
          ) : (
            <>
              <span aria-hidden="true">{text}</span>
              <span className="vh">{spoken}</span>
            </>
          )}
        </span>
        <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
      </button>
      {open && (
        <div className="tool-body" id={body}>
          {answer && <Permission answer={answer} now={now} />}
          <ToolBody tool={tool} revision={message.revision} />
          <Cut message={message} onWhole={onWhole} />
        </div>
      )}
    </li>
  );
}
