import { strings } from "../strings.ts";
import type { Jump } from "./use-jump.ts";

/** While an earlier message is looked for, and if it is nowhere. */
export function JumpNote({ jump }: { jump: Jump }) {
  const { state, stop } = jump;
  if (state !== "looking" && state !== "missing") return null;
  return (
    <p className="strip jump" role="status">
      {state === "looking" && <i className="dot working" aria-hidden="true" />}
      <span>{strings.jump[state]}</span>
      <button type="button" className="link" onClick={stop}>
        {state === "looking" ? strings.jump.stop : strings.queue.dismiss}
      </button>
    </p>
  );
}
