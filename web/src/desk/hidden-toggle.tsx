import { useMemo } from "react";
import { isHidden } from "../state/chain.ts";
import { usePrefs } from "../state/prefs.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";

/** Shows what the server keeps beside the talk. It says how many such records are loaded. */
export function HiddenToggle({ run }: { run: string }) {
  const shown = usePrefs((state) => state.showHidden);
  const messages = useApp((state) => state.conversations[run]?.messages);
  const count = useMemo(() => messages?.filter(isHidden).length ?? 0, [messages]);
  return (
    <label className="check menu-check">
      <input type="checkbox" checked={shown} onChange={(event) => usePrefs.getState().setShowHidden(event.target.checked)} />
      <span>{strings.header.hidden}</span>
      <small>{strings.header.hiddenCount(count)}</small>
    </label>
  );
}
