import { useCallback, useMemo, useState } from "react";
import type { Run } from "../api/schema.ts";
import { open, readOlder, readWhole, reply } from "../state/live.ts";
import { heldElsewhere, pendingReplies } from "../state/outbox.ts";
import { usePrefs } from "../state/prefs.ts";
import { rowBuilder } from "../state/rows.ts";
import { useApp } from "../state/store.ts";
import { strings } from "../strings.ts";
import { useNow } from "../ui/clock.ts";
import { Notice } from "../ui/notice.tsx";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { afterSent } from "./composer-keys.ts";
import { Conversation } from "./conversation.tsx";
import { closedBecause } from "./closed.ts";
import { Held } from "./held.tsx";
import type { Shared } from "./shared.ts";
import { StateNotice } from "./state-notice.tsx";

type Props = { run: Run; agent: string };

const HOUR = 3_600_000;

export function Chat({ run, agent }: Props) {
  const { id } = run;
  const conversation = useApp((state) => state.conversations[id]);
  const failure = useApp((state) => state.failures[id]);
  const draft = usePrefs((state) => state.drafts[id] ?? "");
  const sent = usePrefs((state) => state.sent);
  const setDraft = usePrefs((state) => state.setDraft);
  const forget = usePrefs((state) => state.forget);
  const [build] = useState(rowBuilder);
  const pending = useMemo(() => (conversation ? pendingReplies(conversation, sent, id) : []), [conversation, sent, id]);
  const rows = useMemo(() => (conversation ? build(conversation, pending) : []), [build, conversation, pending]);

  const now = Math.floor(useNow() / HOUR) * HOUR;
  const ended = run.state === "ended";
  const attach = run.attach?.command;
  const shared = useMemo(
    (): Shared => ({
      agent,
      attach,
      ended,
      now,
      onWhole: (position) => readWhole(id, position),
      onBack: (clientId, text) => {
        const had = usePrefs.getState().drafts[id] ?? "";
        setDraft(id, had === "" ? text : `${had}\n${text}`);
        forget([clientId]);
      },
      onDismiss: (clientId) => forget([clientId]),
    }),
    [agent, attach, ended, now, id, setDraft, forget],
  );
  const onOlder = useCallback(() => readOlder(id), [id]);

  return (
    <>
      {conversation ? (
        <>
          {rows.some((row) => row.type !== "start" && row.type !== "knot") ? (
            <Conversation
              rows={rows}
              hasMore={conversation.hasMore}
              oldest={conversation.messages[0]?.position}
              shared={shared}
              onOlder={onOlder}
            />
          ) : (
            <StateNotice transcript={conversation.transcript} ended={ended} />
          )}
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
          <Held queued={conversation ? heldElsewhere(conversation.queued, pending) : []} />
          <Composer
            draft={draft}
            closed={closedBecause(run)}
            onDraft={(text) => setDraft(id, text)}
            onSend={(text, clientId) => reply(id, text, clientId)}
            onSent={(text) => setDraft(id, afterSent(usePrefs.getState().drafts[id] ?? "", text))}
          />
        </div>
      </div>
    </>
  );
}
