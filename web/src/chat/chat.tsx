import { useMemo } from "react";
import type { Run } from "../api/schema.ts";
import { commands, open, reply, resume } from "../state/live.ts";
import { pendingReplies } from "../state/outbox.ts";
import { usePrefs } from "../state/prefs.ts";
import type { Target } from "../state/route.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";
import { Notice } from "../ui/notice.tsx";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { afterSent } from "./composer-keys.ts";
import { closedBecause } from "./closed.ts";
import { QueuePanel } from "./queue-panel.tsx";
import { Talk } from "./talk.tsx";
import { useFolds } from "./toggled.ts";
import { useShared } from "./use-shared.ts";

type Props = { run: Run; agent: string; target: Target | undefined };

export function Chat({ run, agent, target }: Props) {
  const { id } = run;
  const conversation = useApp((state) => state.conversations[id]);
  const failure = useApp((state) => state.failures[id]);
  const draft = usePrefs((state) => state.drafts[id] ?? "");
  const sent = usePrefs((state) => state.sent);
  const setDraft = usePrefs((state) => state.setDraft);
  const pending = useMemo(() => (conversation ? pendingReplies(conversation, sent, id) : []), [conversation, sent, id]);
  const [folds, onFold] = useFolds(id);
  const shared = useShared(run, agent, onFold);

  return (
    <>
      {conversation ? (
        <>
          <Talk conversation={conversation} pending={pending} folds={folds} target={target} shared={shared} />
          <Announcer key={conversation.epoch} conversation={conversation} agent={agent} />
        </>
      ) : failure === undefined ? (
        <Notice title={strings.conversation.loading} busy />
      ) : (
        <Notice title={strings.conversation.failed} hint={failure}>
          <button type="button" className="btn" onClick={() => void open(id)}>
            {strings.conversation.again}
          </button>
        </Notice>
      )}
      <div className="compose">
        <div className="compose-in">
          {conversation && <QueuePanel conversation={conversation} shared={shared} />}
          <Composer
            draft={draft}
            closed={closedBecause(run)}
            lastWords={run.exit?.detail}
            onResume={() => resume(id)}
            commands={() => commands(id)}
            onDraft={(text) => setDraft(id, text)}
            working={run.state === "working" || run.state === "question"}
            onSend={(text, clientId, when) => reply(id, text, clientId, when)}
            onSent={(text) => setDraft(id, afterSent(usePrefs.getState().drafts[id] ?? "", text))}
          />
        </div>
      </div>
    </>
  );
}
