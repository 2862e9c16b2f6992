import { useEffect, useRef, useState } from "react";
import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";

type Props = { title: string; onStop: (force: boolean) => Promise<void>; onClose: () => void };

/** Stopping costs something, so it is asked once more, in words. */
export function StopDialog({ title, onStop, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [force, setForce] = useState(false);
  const { busy, problem, run } = useAction();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="ask" aria-labelledby="stop-title" onClose={onClose}>
      <h2 id="stop-title">{strings.stop.title(title)}</h2>
      <p>{strings.stop.body}</p>
      <label className="check">
        <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
        {strings.stop.force}
      </label>
      <Problem problem={problem} />
      <div className="acts">
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          {strings.stop.no}
        </button>
        <button
          type="button"
          className="btn danger"
          disabled={busy}
          onClick={() => void run(() => onStop(force)).then((done) => done && dialog.current?.close())}
        >
          {strings.stop.yes}
        </button>
      </div>
    </dialog>
  );
}
