import { ArrowDown, MessageCircleQuestion } from "lucide-react";
import { strings } from "../strings.ts";

type Props = { away: boolean; questions: number; onQuestion: () => void; onEnd: () => void };

/** Above the composer: the ways to what is out of sight. */
export function JumpButtons({ away, questions, onQuestion, onEnd }: Props) {
  if (!away && questions === 0) return null;
  const icon = { size: 16, strokeWidth: 1.6, "aria-hidden": true } as const;
  return (
    <div className="jumps">
      {questions > 0 && (
        <button type="button" className="btn ask" onClick={onQuestion} aria-keyshortcuts={strings.dialog.key}>
          <MessageCircleQuestion {...icon} />
          {strings.dialog.go(questions)}
          <kbd aria-hidden="true">{strings.dialog.key}</kbd>
        </button>
      )}
      {away && (
        <button type="button" className="btn" onClick={onEnd}>
          <ArrowDown {...icon} />
          {strings.conversation.down}
        </button>
      )}
    </div>
  );
}
