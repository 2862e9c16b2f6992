import { MessageCircle } from "lucide-react";
import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import { strings } from "../strings.ts";
import { sends } from "./composer-keys.ts";
import type { CardProps } from "./dialog-card.tsx";
import { WordsField } from "./words-field.tsx";

type Props = Pick<CardProps, "talk" | "onTalk" | "onDiscuss"> & { busy: boolean };

const words = strings.dialog;

/** No answer yet: a person wants to talk about the question first, and may say about what. */
export function DiscussForm({ talk, busy, onTalk, onDiscuss }: Props) {
  const hint = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // The focus goes along with a press, and stays where it is after a reload.
  const pressed = useRef(false);
  const { open, words: written } = talk ?? { open: false, words: "" };
  useEffect(() => {
    if (pressed.current) (open ? field : opener).current?.focus({ preventScroll: true });
    pressed.current = false;
  }, [open]);

  function show(to: boolean) {
    if (busy) return;
    pressed.current = true;
    onTalk({ words: written, open: to });
  }
  function send() {
    if (!busy) onDiscuss(written);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
    if (!sends({ key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing: nativeEvent.isComposing }, true)) return;
    event.preventDefault();
    send();
  }

  if (!open) {
    return (
      <div className="discuss">
        <button ref={opener} type="button" className="btn ghost" aria-disabled={busy} onClick={() => show(true)}>
          <MessageCircle size={15} strokeWidth={1.7} aria-hidden="true" />
          {words.discuss}
        </button>
      </div>
    );
  }
  return (
    <div className="discuss open" role="group" aria-label={words.discuss} aria-describedby={hint}>
      <div className="discuss-words">
        <WordsField ref={field} label={words.discussLabel} value={written} onChange={(to) => onTalk({ words: to, open: true })} onKeyDown={onKeyDown} />
      </div>
      <p className="acts-hint" id={hint}>
        {words.discussHint}
      </p>
      <button type="button" className="btn ghost" aria-disabled={busy} onClick={() => show(false)}>
        {words.discussClose}
      </button>
      <button type="button" className="btn" aria-disabled={busy} onClick={send}>
        {busy ? words.sending : words.discussSend}
      </button>
    </div>
  );
}
