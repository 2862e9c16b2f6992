import type { ReactNode } from "react";
import type { Conversation } from "../state/conversation.ts";
import { strings } from "../strings.ts";
import { Notice } from "../ui/notice.tsx";

const words = strings.conversation;

type Props = { transcript: Conversation["transcript"]; ended: boolean; children?: ReactNode };

/** Three sentences for three states: not there yet, cannot be found, really empty. */
export function StateNotice({ transcript, ended, children }: Props) {
  if (transcript === "gone") {
    return (
      <Notice title={words.gone} hint={words.goneHint}>
        {children}
      </Notice>
    );
  }
  const locating = transcript === "locating" && !ended;
  const hint = locating || ended ? undefined : words.emptyHint;
  return (
    <Notice title={locating ? words.locating : words.empty} hint={hint} busy={locating}>
      {children}
    </Notice>
  );
}
