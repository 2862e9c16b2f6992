import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { CommandSpec, SendWhen } from "../api/schema.ts";
import { newClientId } from "../state/device.ts";
import { strings } from "../strings.ts";
import { useAction, useMedia } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";
import { CommandList, commandOption } from "./command-list.tsx";
import { sends, sendsLater } from "./composer-keys.ts";
import { Ended } from "./ended.tsx";
import { useCommands } from "./use-commands.ts";
import { WhenChoice } from "./when-choice.tsx";

type Props = {
  draft: string;
  /** Why nothing can be sent any more. Only an ended run has one. */
  closed: string | undefined;
  lastWords?: string | undefined;
  onResume?: () => Promise<void>;
  /** The agent is in the middle of something: then a reply may also wait for its end. */
  working?: boolean;
  /** The slash commands that can be sent from here. */
  commands?: () => Promise<CommandSpec[]>;
  onDraft: (text: string) => void;
  onSend: (text: string, clientId: string, when: SendWhen) => Promise<void>;
  /** The server has it. The draft may have grown since. */
  onSent: (draft: string) => void;
};

export function Composer({ draft, closed, lastWords, onResume, working = false, commands, onDraft, onSend, onSent }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const coarse = useMedia("(pointer: coarse)");
  const { busy, problem, run } = useAction();
  // The same text tried again is the same reply, however often the connection broke.
  const attempt = useRef({ text: "", id: "" });
  // For one reply at a time: what one sends next is most often meant for now.
  const [chosen, setChosen] = useState<SendWhen>("now");

  const list = useId();
  const { found, active, choose, onKey } = useCommands(draft, closed === undefined ? commands : undefined, onDraft);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [draft]);

  async function send(when: SendWhen) {
    const text = draft.trim();
    if (text === "" || busy || closed !== undefined) return;
    if (attempt.current.text !== text) attempt.current = { text, id: newClientId() };
    const taken = draft;
    const done = await run(() => onSend(text, attempt.current.id, working ? when : "now"));
    if (!done) return;
    setChosen("now");
    attempt.current = { text: "", id: "" };
    onSent(taken);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (onKey(event)) return;
    const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
    const pressed = { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing: nativeEvent.isComposing };
    if (!sends(pressed, window.matchMedia("(pointer: coarse)").matches)) return;
    event.preventDefault();
    void send(sendsLater(pressed) ? "after_turn" : chosen);
  }

  return (
    <form
      className="composer"
      aria-label={strings.composer.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(chosen);
      }}
    >
      <Problem problem={problem} />
      {closed !== undefined && <Ended why={closed} lastWords={lastWords} onResume={onResume} />}
      {found.length > 0 && <CommandList id={list} found={found} active={active} onChoose={choose} />}
      <div className={working ? "field wide" : "field"} data-closed={closed === undefined ? undefined : ""}>
        <textarea
          ref={field}
          rows={1}
          value={draft}
          aria-label={strings.composer.label}
          aria-autocomplete="list"
          aria-controls={found.length > 0 ? list : undefined}
          aria-activedescendant={found.length > 0 ? commandOption(list, active) : undefined}
          placeholder={strings.composer.placeholder}
          enterKeyHint={coarse ? "enter" : "send"}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="field-row">
          {working && closed === undefined && <WhenChoice chosen={chosen} onChoose={setChosen} />}
          {!coarse && closed === undefined && <span className="hint">{strings.composer.enter}</span>}
          <button type="submit" className="btn primary" aria-disabled={draft.trim() === "" || busy || closed !== undefined}>
            {busy ? strings.composer.sending : strings.composer.send}
          </button>
        </div>
      </div>
    </form>
  );
}
