import { ChevronLeft } from "lucide-react";
import type { NewRun } from "../api/client.ts";
import { startRun } from "../state/live.ts";
import { usePrefs } from "../state/prefs.ts";
import { toList, toRun } from "../state/route.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";
import { Notice } from "../ui/notice.tsx";
import { NewRunForm } from "./new-run-form.tsx";

async function begin(wanted: NewRun): Promise<void> {
  const run = await startRun(wanted);
  usePrefs.getState().setLastFolder(wanted.cwd);
  location.hash = toRun(run.id);
}

export function NewRunView({ narrow }: { narrow: boolean }) {
  const providers = useApp((state) => state.providers);
  const runs = useApp((state) => state.runs);
  const last = usePrefs((state) => state.lastFolder);
  const folders = [...new Set(Object.values(runs ?? {}).map((run) => run.cwd))];
  return (
    <main className="main page">
      <header className="head">
        {narrow && (
          <a className="btn ghost icon back" href={toList} aria-label={strings.header.back}>
            <ChevronLeft size={20} strokeWidth={1.6} aria-hidden="true" />
          </a>
        )}
        <h1 id="new-run">{strings.form.title}</h1>
      </header>
      <div className="page-body">
        {providers && runs ? (
          <NewRunForm providers={providers} folders={folders} folder={last || (folders[0] ?? "")} onStart={begin} />
        ) : (
          <Notice title={strings.form.loading} busy />
        )}
      </div>
    </main>
  );
}
