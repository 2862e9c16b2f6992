import { OctagonX, SquareTerminal, CirclePause } from "lucide-react";
import type { ReactNode } from "react";
import { strings } from "../strings.ts";
import { Menu } from "./menu.tsx";

type Props = {
  narrow: boolean;
  ended: boolean;
  working: boolean;
  onInterrupt: () => void;
  onStop: () => void;
  onAttach: () => void;
  /** What always stands behind the button. */
  more: ReactNode;
};

/** On a desk the actions stand side by side; on a phone they stand behind one button. */
export function HeaderActions({ narrow, ended, working, onInterrupt, onStop, onAttach, more }: Props) {
  const icon = { size: 16, strokeWidth: 1.6, "aria-hidden": true } as const;
  const buttons = (close: () => void) => {
    const act = (action: () => void) => () => {
      close();
      action();
    };
    return (
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
  };
  if (!narrow) {
    return (
      <div className="actions">
        {buttons(() => {})}
        <Menu>{() => more}</Menu>
      </div>
    );
  }
  return (
    <Menu>
      {(close) => (
        <>
          {buttons(close)}
          {more}
        </>
      )}
    </Menu>
  );
}
