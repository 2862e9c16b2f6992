import { memo } from "react";
import { Markdown, GrowingMarkdown } from "../markdown/markdown.tsx";
import type { Row } from "../state/rows.ts";
import { strings } from "../strings.ts";
import { DialogCard } from "./dialog-card.tsx";
import { LifecycleRow } from "./lifecycle.tsx";
import { PendingBody } from "./pending-row.tsx";
import type { Shared } from "./shared.ts";
import { TextBody } from "./text-body.tsx";
import { Thinking } from "./thinking.tsx";
import { Ticks } from "./ticks.tsx";
import { ToolGroup } from "./tool-group.tsx";
import { Turn } from "./turn.tsx";

type Props = { row: Row; shared: Shared };

function nameOf(row: Row, agent: string): string {
  if (row.nested) return strings.who.subagent;
  if (row.speaker === "you") return strings.who.you;
  if (row.type !== "dialog") return agent;
  if (row.dialog.kind === "plan") return strings.who.plan(agent);
  return row.dialog.kind === "approval" ? strings.who.approval(agent) : strings.who.asks(agent);
}

export const RowView = memo(({ row, shared }: Props) => {
  const { agent, now, attach } = shared;
  const turn = { row, now, name: nameOf(row, agent) };
  switch (row.type) {
    case "start":
      return <div className="life start">{strings.conversation.start}</div>;
    case "knot":
      return <div className="life knot">{strings.conversation.cleared}</div>;
    case "lifecycle":
      return <LifecycleRow message={row.message} now={now} />;
    case "text":
      return (
        <Turn {...turn} after={row.receipt && <Ticks status={row.receipt.status} detail={row.receipt.detail} />}>
          <TextBody message={row.message} onWhole={shared.onWhole} />
        </Turn>
      );
    case "thinking":
      return (
        <Turn {...turn}>
          <Thinking message={row.message} />
        </Turn>
      );
    case "error":
      return (
        <Turn {...turn}>
          <div className="failed-text">
            <Markdown text={row.message.text ?? row.message.error ?? ""} />
          </div>
        </Turn>
      );
    case "tools":
      return (
        <Turn {...turn}>
          <ToolGroup messages={row.messages} onWhole={shared.onWhole} />
        </Turn>
      );
    case "dialog":
      return (
        <Turn {...turn}>
          <DialogCard dialog={row.dialog} live={row.live && !shared.ended} attach={attach} />
        </Turn>
      );
    case "tail":
      return (
        <Turn {...turn}>
          <GrowingMarkdown text={row.text} />
        </Turn>
      );
    case "pending":
      return (
        <Turn {...turn} after={<Ticks status={row.pending.status} detail={row.pending.status === "failed" ? undefined : row.pending.detail} />}>
          <PendingBody pending={row.pending} onBack={shared.onBack} onDismiss={shared.onDismiss} />
        </Turn>
      );
    default:
      return null;
  }
});
RowView.displayName = "RowView";
