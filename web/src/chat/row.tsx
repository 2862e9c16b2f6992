import { memo, useMemo, type ReactNode } from "react";
import { Markdown, GrowingMarkdown } from "../markdown/markdown.tsx";
import type { Row } from "../state/rows.ts";
import { strings } from "../strings.ts";
import { DialogRow } from "./dialog-row.tsx";
import { FoldRow } from "./fold.tsx";
import { KnotRow } from "./knot.tsx";
import { LifecycleRow } from "./lifecycle.tsx";
import { PendingBody } from "./pending-row.tsx";
import { PlaceContext, type Place } from "./place.ts";
import { RecordRow } from "./record.tsx";
import type { Shared } from "./shared.ts";
import { TextBody } from "./text-body.tsx";
import { Thinking } from "./thinking.tsx";
import { From, Ticks } from "./ticks.tsx";
import { ToolGroup } from "./tool-group.tsx";
import { Turn } from "./turn.tsx";

type Props = { row: Row; shared: Shared };

function nameOf(row: Row, { agent, you }: Shared): string {
  if (row.nested) return strings.who.subagent;
  if (row.speaker === "you") return you ?? strings.who.you;
  if (row.type !== "dialog") return agent;
  if (row.dialog.kind === "plan") return strings.who.plan(agent);
  return row.dialog.kind === "approval" ? strings.who.approval(agent) : strings.who.asks(agent);
}

/** What is said across the thread, by nobody. */
function across(row: Row, shared: Shared): ReactNode {
  switch (row.type) {
    case "start":
      return <div className="life start">{strings.conversation.start}</div>;
    case "empty":
      return <div className="life start">{strings.knot.empty}</div>;
    case "knot":
      return <KnotRow row={row} now={shared.now} onEarlier={shared.onEarlier} />;
    case "fold":
      return <FoldRow count={row.count} open={row.open} onToggle={() => shared.onFold(row.key)} />;
    case "record":
      return <RecordRow message={row.message} />;
    case "mode":
      return <div className="life">{strings.conversation.mode(row.mode)}</div>;
    case "lifecycle":
      return <LifecycleRow message={row.message} now={shared.now} />;
    default:
      return null;
  }
}

function said(row: Row, shared: Shared): ReactNode {
  const { onWhole } = shared;
  const whole = onWhole && ((position: string) => onWhole(position, row.epoch));
  switch (row.type) {
    case "text":
      return <TextBody message={row.message} onWhole={whole} />;
    case "thinking":
      return <Thinking message={row.message} />;
    case "error":
      return (
        <div className="failed-text">
          <Markdown text={row.message.text ?? row.message.error ?? ""} />
        </div>
      );
    case "tools":
      return <ToolGroup messages={row.messages} answers={row.answers} now={shared.now} onWhole={whole} />;
    case "dialog":
      return <DialogRow row={row} shared={shared} />;
    case "tail":
      return <GrowingMarkdown text={row.text} />;
    case "pending":
      return <PendingBody pending={row.pending} onBack={shared.onBack} onDismiss={shared.onDismiss} />;
    default:
      return null;
  }
}

function ticks(row: Row): ReactNode {
  if (row.type === "text" && row.receipt) {
    return (
      <>
        <From receipt={row.receipt} />
        <Ticks status={row.receipt.status} detail={row.receipt.detail} />
      </>
    );
  }
  if (row.type !== "pending") return null;
  const { status, detail } = row.pending;
  return <Ticks status={status} detail={status === "failed" ? undefined : detail} />;
}

export const RowView = memo(({ row, shared }: Props) => {
  const place = useMemo((): Place => ({ shared, scope: `${shared.scope}/${row.epoch}`, RowView }), [shared, row.epoch]);
  const line = across(row, shared);
  return (
    <PlaceContext value={place}>
      {line ?? (
        <Turn row={row} now={shared.now} name={nameOf(row, shared)} after={ticks(row)}>
          {said(row, shared)}
        </Turn>
      )}
    </PlaceContext>
  );
});
RowView.displayName = "RowView";
