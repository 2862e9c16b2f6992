import { CircleHelp, CircleSlash, Clock, HardDrive, Hourglass, ListEnd, ListOrdered, MessageCircleQuestion, PencilLine, Signpost, SquareTerminal } from "lucide-react";
import type { QueuedReply } from "../api/schema.ts";
import { strings } from "../strings.ts";

const icons = {
  starting: Hourglass,
  dialog: MessageCircleQuestion,
  turn: ListEnd,
  blocked: CircleSlash,
  order: ListOrdered,
  screen: SquareTerminal,
  draft: PencilLine,
  storage: HardDrive,
  epoch: Signpost,
  doubt: CircleHelp,
  unknown: Clock,
};

/** What a held reply waits for. */
export function CauseIcon({ cause }: { cause: QueuedReply["cause"] }) {
  const Icon = icons[cause];
  return (
    <span className="held-icon" title={strings.queue.causes[cause]}>
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className="vh">{strings.queue.causes[cause]}: </span>
    </span>
  );
}
