import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { sampleConversation, sampleMessage, sampleReceipt, sampleRun, sampleTool } from "../test/samples.ts";
import { buildRows } from "../state/rows.ts";
import { closedBecause } from "./closed.ts";
import { readDiff } from "./diff-lines.ts";
import { RowView } from "./row.tsx";
import type { Shared } from "./shared.ts";
import { sampleShared } from "../test/shared.ts";
import { StateNotice } from "./state-notice.tsx";
import { ToolGroup } from "./tool-group.tsx";
import { inputText, opensByItself, titleParts } from "./tool-words.ts";

const shared = (change: Partial<Shared> = {}) => sampleShared(change);

test("tool calls say their state in words, and open to input and output", async () => {
  const messages = [
    sampleTool("1.0", { title: "Ran ls", view: { type: "command", command: "ls", exit_code: 2, background: false }, output: "no such file", status: "error" }),
    sampleTool("2.0", { title: "Working", status: "running" }),
  ];
  render(<ToolGroup answers={[]} now={0} messages={messages} onWhole={async () => {}} />);
  expect(screen.getByRole("list", { name: "2 tool calls" })).toBeTruthy();
  const line = screen.getByRole("button", { name: /^Failed: Ran ls exit 2$/ });
  expect(screen.getByRole("button", { name: /^Running: Working$/ })).toBeTruthy();
  expect(line.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(line);
  expect(screen.getByText("no such file")).toBeTruthy();
  expect(screen.getByText("$ ls")).toBeTruthy();
});

test("a cut body can be read whole", async () => {
  const onWhole = vi.fn(async () => {});
  render(<ToolGroup answers={[]} now={0} messages={[{ ...sampleTool("3.0", { output: "begin" }), cut: true }]} onWhole={onWhole} />);
  await userEvent.click(screen.getByRole("button", { name: /Read a.rs/ }));
  await userEvent.click(screen.getByRole("button", { name: "Show all of it" }));
  expect(onWhole).toHaveBeenCalledExactlyOnceWith("3.0");
});

const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n+--- not a header\n same\n\\ No newline at end of file\n";

test("a diff is read into lines with a meaning", () => {
  const { lines, added, removed } = readDiff(patch);
  expect(lines.map(({ kind }) => kind)).toEqual(["hunk", "del", "add", "add", "same"]);
  expect([added, removed]).toEqual([2, 1]);
});

test("a short diff opens by itself, a long one waits", () => {
  render(<ToolGroup answers={[]} now={0} messages={[sampleTool("4.0", { title: "Edited x", view: { type: "diff", path: "x", diff: patch } })]} onWhole={async () => {}} />);
  expect(screen.getByRole("group", { name: "Changes in x" })).toBeTruthy();
  const long = sampleTool("5.0", { view: { type: "diff", path: "x", diff: `@@\n${"+a\n".repeat(60)}` } }).tool;
  expect(long && opensByItself(long)).toBe(false);
});

test("paths and commands in a title are set as code", () => {
  const tool = sampleTool("6.0", { title: "Read src/a.rs twice", view: { type: "read", path: "/work/shop/src/a.rs" } }).tool;
  expect(tool && titleParts(tool)).toEqual([
    { text: "Read ", code: false },
    { text: "src/a.rs", code: true },
    { text: " twice", code: false },
  ]);
  expect([inputText({}), inputText("x"), inputText({ a: 1 })]).toEqual(["", "x", '{\n  "a": 1\n}']);
});

test("a message that was typed but not recorded has one tick and its word; a recorded one two ticks", () => {
  const conversation = sampleConversation([sampleMessage("1.0", { role: "user", text: "mine" })], {
    receipts: { x1: sampleReceipt({ status: "recorded", position: "1.0" }) },
  });
  const rows = buildRows(conversation, [{ clientId: "c", text: "next", status: "queued", detail: "someone is typing" }]);
  const { container } = render(rows.map((row) => <RowView key={row.key} row={row} shared={shared()} />));
  expect(container.querySelector(".ticks.recorded")?.textContent).toBe("recorded");
  expect(container.querySelector(".ticks.queued")?.textContent).toBe("queued: someone is typing");
  expect(screen.getByText("next").className).toContain("pending");
});

test("a failed reply keeps its text and gives it back", async () => {
  const onBack = vi.fn();
  const [row] = buildRows(sampleConversation([]), [{ clientId: "c", text: "precious words", status: "failed", detail: "It was not recorded." }]);
  if (!row) throw new Error("no row");
  render(<RowView row={row} shared={shared({ onBack })} />);
  expect(screen.getByRole("alert").textContent).toContain("It was not recorded.");
  await userEvent.click(screen.getByRole("button", { name: "Put back into the composer" }));
  expect(onBack).toHaveBeenCalledExactlyOnceWith("c", "precious words");
});

test("thinking waits behind its toggle", async () => {
  const [, row] = buildRows(sampleConversation([sampleMessage("77.0", { thinking: true, text: "deep" })]), []);
  if (!row) throw new Error("no row");
  render(<RowView row={row} shared={shared()} />);
  expect(screen.queryByText("deep")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Thinking" }));
  expect(screen.getByText("deep")).toBeTruthy();
});

test("what was attached to words is named, also where there are no words", () => {
  const attachments = [
    { kind: "image" as const, bytes: 98 },
    { kind: "file" as const, name: "notes.md", bytes: 70_000 },
  ];
  const [row] = buildRows(sampleConversation([sampleMessage("1.0", { role: "user", text: undefined, attachments })]), []).slice(-1);
  const { container } = render(<RowView row={row as (typeof row & object)} shared={shared()} />);
  const items = screen.getByRole("list", { name: "Attached" }).querySelectorAll("li");
  expect([...items].map((item) => item.textContent)).toEqual(["Image 98 B", "notes.md 70 kB"]);
  expect(container.querySelector(".bubble")).toBeNull();
});

test("what a person wrote is not markdown", () => {
  const [, row] = buildRows(sampleConversation([sampleMessage("1.0", { role: "user", text: "# no **bold**\n- item" })]), []);
  if (!row) throw new Error("no row");
  const { container } = render(<RowView row={row} shared={shared()} />);
  expect(container.querySelector(".bubble")?.textContent).toBe("# no **bold**\n- item");
});

test("not there yet, cannot be found and really empty are three sentences", () => {
  const said = (["locating", "gone", "available"] as const).map((transcript) => {
    const { container, unmount } = render(<StateNotice transcript={transcript} ended={false} />);
    const text = container.textContent;
    unmount();
    return text;
  });
  expect(new Set(said).size).toBe(3);
});

test("only an ended run says why nothing can be sent", () => {
  for (const state of ["idle", "working", "needs_input", "question", "unknown"] as const) expect(closedBecause(sampleRun({ state }))).toBeUndefined();
  expect(closedBecause(sampleRun({ state: "ended", exit: { code: 0 } }))).toBe("This run has ended (exit 0).");
  expect(closedBecause(sampleRun({ state: "ended", exit: {} }))).toBe("This run has ended.");
});
