import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import type { Editing } from "../state/queue.ts";
import { strings } from "../strings.ts";
import { sends } from "./composer-keys.ts";

type Props = { editing: Editing; busy: boolean; onType: (text: string) => void; onSave: () => void; onCancel: () => void };

/** A held reply's words, to change in their place. The same keys as in the composer; Escape leaves it as it was. */
export function QueueEdit({ editing, busy, onType, onSave, onCancel }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = editing;
  useEffect(() => {
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollIntoView({ block: "nearest" });
  }, []);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const empty = text.trim() === "";
  function save() {
    if (!empty && !busy) onSave();
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
    const pressed = { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing: nativeEvent.isComposing };
    if (!sends(pressed, window.matchMedia("(pointer: coarse)").matches)) return;
    event.preventDefault();
    save();
  }
  return (
    <div className="held-edit">
      <textarea ref={field} rows={1} value={text} aria-label={strings.queue.label} onChange={(event) => onType(event.target.value)} onKeyDown={onKeyDown} />
      <div className="held-acts">
        <button type="button" className="btn" onClick={onCancel}>
          {strings.queue.cancel}
        </button>
        <button type="button" className="btn primary" aria-disabled={empty || busy} onClick={save}>
          {busy ? strings.queue.saving : strings.queue.save}
        </button>
      </div>
    </div>
  );
}
