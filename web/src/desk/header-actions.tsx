import { Ellipsis, OctagonX, SquareTerminal, CirclePause } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { strings } from "../strings.ts";
import { useDismiss } from "../ui/hooks.ts";

type Props = { narrow: boolean; ended: boolean; working: boolean; onInterrupt: () => void; onStop: () => void; onAttach: () => void };

/** On a desk the actions stand side by side; on a phone they stand behind one button. */
export function HeaderActions({ narrow, ended, working, onInterrupt, onStop, onAttach }: Props) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useDismiss(menu, open, close);

  const act = (action: () => void) => () => {
    close();
    action();
  };
  const icon = { size: 16, strokeWidth: 1.6, "aria-hidden": true } as const;
  const buttons = (
    <>
      {!ended && (
        <button type="button" className={working || narrow ? "btn" : "btn ghost"} onClick={act(onInterrupt)}>
          <CirclePause {...icon} />
          {strings.header.interrupt}
        </button>
      )}
      {!ended && (
        <button type="button" className="btn ghost" onClick={act(onStop)}>
          <OctagonX {...icon} />
          {strings.header.stop}
        </button>
      )}
      <button type="button" className="btn" onClick={act(onAttach)}>
        <SquareTerminal {...icon} />
        {strings.header.attach}
      </button>
    </>
  );
  if (!narrow) return <div className="actions">{buttons}</div>;
  return (
    <div className="menu" ref={menu}>
      <button type="button" className="btn ghost icon" aria-label={strings.header.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Ellipsis {...icon} />
      </button>
      {open && <div className="menu-list">{buttons}</div>}
    </div>
  );
}
