/** What one line says about a tool call. Pure. */
import type { Tool } from "../api/schema.ts";
import { duration } from "../format.ts";
import { strings } from "../strings.ts";
import { readDiff } from "./diff-lines.ts";

const SHORT = 24;

/** The title in parts, so that a path or a command in it can be set as code. */
export function titleParts(tool: Tool): { text: string; code: boolean }[] {
  const title = tool.title || tool.name;
  const code = inTitle(tool);
  const start = code ? title.indexOf(code) : -1;
  if (!code || start < 0) return [{ text: title, code: false }];
  return [
    { text: title.slice(0, start), code: false },
    { text: code, code: true },
    { text: title.slice(start + code.length), code: false },
  ].filter((part) => part.text !== "");
}

function inTitle(tool: Tool): string | undefined {
  const { view } = tool;
  if (!view) return undefined;
  if (view.type === "command") return view.command;
  if (view.type === "search") return view.query;
  if (!("path" in view)) return undefined;
  // Titles often name a path from the run's folder on, and the view the whole of it.
  const parts = view.path.split("/");
  for (let from = 0; from < parts.length; from += 1) {
    const tail = parts.slice(from).join("/");
    if (tail && tool.title.includes(tail)) return tail;
  }
  return undefined;
}

export function aside(tool: Tool): { text: string; spoken?: string } {
  const { view } = tool;
  if (view?.type === "diff") {
    const { added, removed } = readDiff(view.diff);
    return { text: strings.tool.changes(added, removed), spoken: strings.tool.changesSpoken(added, removed) };
  }
  const parts = [duration(tool.started_at, tool.ended_at)];
  if (view?.type === "command" && view.background) parts.unshift(strings.tool.background);
  if (view?.type === "command" && view.exit_code !== undefined && view.exit_code !== 0)
    parts.unshift(strings.tool.exit(view.exit_code));
  return { text: parts.filter((part) => part !== "").join(" · ") };
}

/** What is short and worth reading opens by itself. */
export function opensByItself(tool: Tool): boolean {
  const { view } = tool;
  if (view?.type === "diff") return tool.status !== "error" && readDiff(view.diff).lines.length <= SHORT;
  return view?.type === "todo" && view.items.length <= SHORT;
}

/** The input as a person would want to read it. Empty when there is nothing to see. */
export function inputText(input: unknown): string {
  if (input === undefined || input === null || input === "") return "";
  if (typeof input === "string") return input;
  const text = JSON.stringify(input, null, 2);
  return text === "{}" || text === "[]" ? "" : text;
}
