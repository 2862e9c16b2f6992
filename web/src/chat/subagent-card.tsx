import { useContext } from "react";
import type { Tool, ToolView } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { PlaceContext, type Place } from "./place.ts";
import { SubagentThread } from "./subagent-thread.tsx";
import { useSubagent } from "./use-subagent.ts";

type View = Extract<ToolView, { type: "subagent" }>;

function Result({ tool, alone }: { tool: Tool; alone: boolean }) {
  if (tool.output === undefined || tool.output === "") {
    return alone ? <p className="quiet">{tool.status === "running" ? strings.tool.waiting : strings.tool.noOutput}</p> : null;
  }
  return (
    <div className={tool.status === "error" ? "sub-result bad" : "sub-result"}>
      {!alone && <span className="box-label">{strings.subagent.result}</span>}
      <Markdown text={tool.output} />
    </div>
  );
}

type FollowedProps = { place: Place; agent: string; tool: Tool; task: string; revision: number };

function Followed({ place, agent, tool, task, revision }: FollowedProps) {
  const thread = useSubagent(place.shared.run, agent, `${tool.status} ${revision}`);
  const last = thread.messages.findLast(({ kind, role, thinking }) => kind === "text" && role === "assistant" && !thinking);
  // Its last words usually are the result: they need not stand there twice.
  const said = last?.text !== undefined && last.text.trim() === tool.output?.trim();
  return (
    <>
      <SubagentThread place={place} agent={agent} thread={thread} task={task} status={tool.status} />
      {!said && <Result tool={tool} alone={false} />}
    </>
  );
}

type Props = { tool: Tool; view: View; revision: number };

/** What another agent was asked to do, how it went about it, and what it answered. */
export function SubagentCard({ tool, view, revision }: Props) {
  const place = useContext(PlaceContext);
  const { agent, description } = view;
  const known = place !== null && agent !== undefined;
  return (
    <div className="sub">
      <p className="quiet">{description}</p>
      {known ? (
        <Followed key={agent} place={place} agent={agent} tool={tool} task={description} revision={revision} />
      ) : (
        <>
          {tool.status === "running" && <p className="quiet">{strings.subagent.unknown}</p>}
          <Result tool={tool} alone />
        </>
      )}
    </div>
  );
}
