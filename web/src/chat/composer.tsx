import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { newId } from "../state/id.ts";
import { strings } from "../strings.ts";
import { useAction, useMedia } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";
import { sends } from "./composer-keys.ts";
import { Ended } from "./ended.tsx";

type Props = {
  draft: string;
  /** Why nothing can be sent any more. Only an ended run has one. */
  closed: string | undefined;
  lastWords?: string | undefined;
  onResume?: () => Promise<void>;
  onDraft: (text: string) => void;
  onSend: (text: string, clientId: string) => Promise<void>;
  /** The server has it. The draft may have grown since. */
  onSent: (draft: string) => void;
};

export function Composer({ draft, closed, lastWords, onResume, onDraft, onSend, onSent }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const coarse = useMedia("(pointer: coarse)");
  const { busy, problem, run } = useAction();
  // The same text tried again is the same reply, however often the connection broke.
  const attempt = useRef({ text: "", id: "" });

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [draft]);

  async function send() {
    const text = draft.trim();
    if (text === "" || busy || closed !== undefined) return;
    if (attempt.current.text !== text) attempt.current = { text, id: newId() };
    const taken = draft;
    const done = await run(() => onSend(text, attempt.current.id));
    if (!done) return;
    attempt.current = { text: "", id: "" };
    onSent(taken);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
    const pressed = { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing: nativeEvent.isComposing };
    if (!sends(pressed, window.matchMedia("(pointer: coarse)").matches)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className="composer"
      aria-label={strings.composer.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Problem problem={problem} />
      {closed !== undefined && <Ended why={closed} lastWords={lastWords} onResume={onResume} />}
      <div className="field" data-closed={closed === undefined ? undefined : ""}>
        <textarea
          ref={field}
          rows={1}
          value={draft}
          aria-label={strings.composer.label}
          placeholder={strings.composer.placeholder}
          enterKeyHint={coarse ? "enter" : "send"}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="field-row">
          {!coarse && closed === undefined && <span className="hint">{strings.composer.enter}</span>}
          <button type="submit" className="btn primary" aria-disabled={draft.trim() === "" || busy || closed !== undefined}>
            {busy ? strings.composer.sending : strings.composer.send}
          </button>
        </div>
      </div>
    </form>
  );
}
