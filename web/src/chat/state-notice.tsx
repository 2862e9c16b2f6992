import type { Conversation } from "../state/conversation.ts";
import { strings } from "../strings.ts";
import { Notice } from "../ui/notice.tsx";

const words = strings.conversation;

/** Three sentences for three states: not there yet, cannot be found, really empty. */
export function StateNotice({ transcript, ended }: { transcript: Conversation["transcript"]; ended: boolean }) {
  if (transcript === "gone") return <Notice title={words.gone} hint={words.goneHint} />;
  if (transcript === "locating" && !ended) return <Notice title={words.locating} busy />;
  return <Notice title={words.empty} hint={ended ? undefined : words.emptyHint} />;
}
