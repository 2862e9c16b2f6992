import type { Dialog } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";

/** About three screens of a phone: longer than this, the text scrolls in the card so that the buttons stay near. */
const VERY_LONG = 3000;

/** The plan, the command, the change: whole, always. */
export function DialogBody({ dialog }: { dialog: Dialog }) {
  const { kind, body } = dialog;
  if (body === "") return null;
  if (body.length < VERY_LONG) {
    return (
      <div className="card-body">
        <Markdown text={body} />
      </div>
    );
  }
  return (
    <div className="card-body very-long" tabIndex={0} role="group" aria-label={kind === "plan" ? strings.dialog.planText : strings.dialog[kind === "question" ? "unknown" : kind]}>
      <Markdown text={body} />
    </div>
  );
}
