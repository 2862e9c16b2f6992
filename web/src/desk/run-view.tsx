import { ScrollText } from "lucide-react";
import { useEffect, useState } from "react";
import { AuditView } from "../audit/audit-view.tsx";
import { Chat } from "../chat/chat.tsx";
import { attachCommand, interrupt, open, stop } from "../state/live.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";
import { copy } from "../ui/copy.ts";
import { useAction } from "../ui/hooks.ts";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { AttachPanel } from "./attach-panel.tsx";
import { HeaderActions } from "./header-actions.tsx";
import { HiddenToggle } from "./hidden-toggle.tsx";
import { RunHead } from "./run-head.tsx";
import { StopDialog } from "./stop-dialog.tsx";
import { Warnings } from "./warnings.tsx";
import { toAudit, toList, type RunRoute } from "../state/route.ts";

type Props = { route: RunRoute; narrow: boolean };

const none: never[] = [];

export function RunView({ route, narrow }: Props) {
  const { id } = route;
  const run = useApp((state) => state.runs?.[id]);
  const known = useApp((state) => state.runs !== null);
  const usage = useApp((state) => state.conversations[id]?.context);
  const dialogs = useApp((state) => state.conversations[id]?.pendingDialogs) ?? none;
  const connection = useApp((state) => state.connection);
  const provider = useApp((state) => state.providers?.find((one) => one.id === run?.provider));
  const [stopping, setStopping] = useState(false);
  const [attach, setAttach] = useState<{ command: string; copied: boolean } | null>(null);
  const { problem, run: act } = useAction();
  const [interrupted, setInterrupted] = useState<string | null>(null);
  const receipt = useApp((state) => (interrupted === null ? undefined : state.conversations[id]?.receipts[interrupted]));

  useEffect(() => {
    void open(id);
    return () => void open(undefined);
  }, [id]);
  useEffect(() => {
    document.title = run ? `${run.title} · ${strings.name}` : strings.name;
  }, [run]);

  if (!run) {
    return (
      <main className="main empty">
        {known ? (
          <Notice title={strings.runs.missing} hint={strings.runs.missingHint} alone>
            <a className="btn" href={toList}>
              {strings.header.back}
            </a>
          </Notice>
        ) : (
          <Notice title={strings.conversation.loading} busy alone />
        )}
      </main>
    );
  }

  const showAttach = async () => {
    const command = await attachCommand(id);
    setAttach({ command, copied: await copy(command) });
  };
  const actions = (
    <HeaderActions
      narrow={narrow}
      ended={run.state === "ended"}
      working={run.state === "working"}
      onInterrupt={() => void act(async () => setInterrupted(await interrupt(id)))}
      onStop={() => setStopping(true)}
      onAttach={() => void act(showAttach)}
      more={
        <>
          <a className="btn" href={toAudit(id)}>
            <ScrollText size={16} strokeWidth={1.6} aria-hidden="true" />
            {strings.audit.open}
          </a>
          <HiddenToggle run={id} />
        </>
      }
    />
  );
  return (
    <main className="main">
      <div className="top">
        <RunHead run={run} provider={provider} usage={usage ?? run.context_usage} dialogs={dialogs} narrow={narrow} actions={actions} />
        {narrow && connection === "lost" && (
          <p className="strip lost" role="status">
            {strings.connection.lost}
          </p>
        )}
        <Warnings warnings={run.warnings} />
        {attach && <AttachPanel {...attach} onClose={() => setAttach(null)} />}
        <Problem problem={problem} />
        {receipt?.status === "failed" && <p className="problem" role="alert">{strings.header.notInterrupted(receipt.detail)}</p>}
      </div>
      {route.audit ? <AuditView run={run} /> : <Chat run={run} agent={provider?.display_name ?? strings.who.agent} target={route.message} />}
      {stopping && <StopDialog title={run.title} onStop={(force) => stop(id, force)} onClose={() => setStopping(false)} />}
    </main>
  );
}
