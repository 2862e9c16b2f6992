import { Plus, Search } from "lucide-react";
import { useState } from "react";
import { useApp } from "../state/store.ts";
import { toNew } from "../state/route.ts";
import { strings } from "../strings.ts";
import { Mark } from "../ui/mark.tsx";
import { Connection } from "./connection.tsx";
import { RunList } from "./run-list.tsx";
import { ThemeButton } from "./theme-button.tsx";

type Props = { current: string | undefined; narrow: boolean };

export function Sidebar({ current, narrow }: Props) {
  const [words, setWords] = useState("");
  const runs = useApp((state) => state.runs);
  const connection = useApp((state) => state.connection);
  const Name = narrow ? "h1" : "p";
  return (
    <nav className="side" aria-label={strings.runs.list}>
      <div className="brand">
        <Mark />
        <Name>{narrow ? strings.runs.title : strings.name}</Name>
        {narrow && <ThemeButton />}
        <a className={narrow ? "btn primary" : "btn"} href={toNew}>
          <Plus size={16} strokeWidth={1.6} aria-hidden="true" />
          {strings.runs.new}
        </a>
      </div>
      <div className="find">
        <Search size={16} strokeWidth={1.6} aria-hidden="true" />
        <input
          type="search"
          value={words}
          aria-label={strings.runs.filter}
          placeholder={strings.runs.filter}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <div className="side-list" tabIndex={-1}>
        <RunList runs={runs} current={current} words={words.trim()} />
      </div>
      <div className="lights">
        <Connection status={connection} runs={Object.keys(runs ?? {}).length} />
        {!narrow && <ThemeButton />}
      </div>
    </nav>
  );
}
