import { CircleCheck, Circle, CircleDot } from "lucide-react";
import type { Tool, ToolView } from "../api/schema.ts";
import { strings } from "../strings.ts";
import { DiffView } from "./diff.tsx";
import { SubagentCard } from "./subagent-card.tsx";
import { inputText } from "./tool-words.ts";

type BoxProps = { label: string; text: string; bad?: boolean };

function Box({ label, text, bad = false }: BoxProps) {
  return (
    <div className={bad ? "box bad" : "box"}>
      <span className="box-label">{label}</span>
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

function Output({ tool }: { tool: Tool }) {
  if (tool.output !== undefined && tool.output !== "") {
    return <Box label={strings.tool.output} text={tool.output} bad={tool.status === "error"} />;
  }
  return <p className="quiet">{tool.status === "running" ? strings.tool.waiting : strings.tool.noOutput}</p>;
}

const marks: Record<string, typeof Circle> = { completed: CircleCheck, in_progress: CircleDot };

function Todo({ items }: Extract<ToolView, { type: "todo" }>) {
  return (
    <ul className="todo">
      {items.map((item, i) => {
        const Mark = marks[item.status] ?? Circle;
        return (
          <li key={i} className={item.status}>
            <Mark size={16} strokeWidth={1.6} aria-hidden="true" />
            <span className="vh">{strings.tool.todo[item.status] ?? item.status}: </span>
            {item.text}
          </li>
        );
      })}
    </ul>
  );
}

function Input({ tool }: { tool: Tool }) {
  const text = inputText(tool.input);
  return text === "" ? null : <Box label={strings.tool.input} text={text} />;
}

/** What a call was given and what came of it, by the kind of work that it did. */
export function ToolBody({ tool, revision }: { tool: Tool; revision: number }) {
  const { view } = tool;
  const failed = tool.status === "error" && <Output tool={tool} />;
  switch (view?.type) {
    case "diff":
      return (
        <>
          <DiffView path={view.path} diff={view.diff} />
          {failed}
        </>
      );
    case "command":
      return (
        <>
          <Box label={strings.tool.input} text={`$ ${view.command}`} />
          <Output tool={tool} />
        </>
      );
    case "write":
      return (
        <>
          <Box label={view.path} text={view.content} />
          {failed}
        </>
      );
    case "todo":
      return <Todo {...view} />;
    case "read":
      return <Output tool={tool} />;
    case "search":
      return (
        <>
          <Box label={strings.tool.input} text={view.path === undefined ? view.query : `${view.query}\n${strings.tool.inFolder(view.path)}`} />
          <Output tool={tool} />
        </>
      );
    case "subagent":
      return <SubagentCard tool={tool} view={view} revision={revision} />;
    case "mcp":
      return (
        <>
          <p className="quiet">
            {strings.tool.server} <code>{view.server}</code> · <code>{view.tool}</code>
          </p>
          <Input tool={tool} />
          <Output tool={tool} />
        </>
      );
    default:
      return (
        <>
          <Input tool={tool} />
          <Output tool={tool} />
        </>
      );
  }
}
