import { Ellipsis } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { strings } from "../strings.ts";
import { useDismiss } from "../ui/hooks.ts";

type Props = { children: (close: () => void) => ReactNode };

/** What is not needed all the time, behind one button. */
export function Menu({ children }: Props) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useDismiss(menu, open, close);
  // A link leads somewhere else: the menu has done its work.
  useEffect(() => {
    window.addEventListener("hashchange", close);
    return () => window.removeEventListener("hashchange", close);
  }, [close]);
  return (
    <div className="menu" ref={menu}>
      <button type="button" className="btn ghost icon" aria-label={strings.header.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Ellipsis size={16} strokeWidth={1.6} aria-hidden="true" />
      </button>
      {open && <div className="menu-list">{children(close)}</div>}
    </div>
  );
}
