import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { CommandSpec } from "../api/schema.ts";
import { asked, matching } from "./commands.ts";
import { Composer } from "./composer.tsx";

const command = (name: string, more: Partial<CommandSpec> = {}): CommandSpec =>
  ({ name, description: `What ${name} does`, arg_hint: undefined, source: "builtin", role: undefined, chat_safe: true, hint: undefined, ...more });
const all = [command("compact", { description: "Make room" }), command("clear", { description: "Begin anew" }), command("git:commit", { source: "project", arg_hint: "[message]" }), command("context")];

test.each([
  ["", undefined],
  ["/", ""],
  ["/cl", "cl"],
  ["/clear now", undefined],
  ["say /clear", undefined],
  ["/a\nb", undefined],
])("the draft %j asks for %j", (draft, expected) => expect(asked(draft)).toBe(expected));

test("names that begin so come first, then names, then descriptions and hints", () => {
  const names = (typed: string) => matching(all, typed).map((it) => it.name);
  expect(names("")).toEqual(["clear", "compact", "context", "git:commit"]);
  expect(names("com")).toEqual(["compact", "git:commit"]);
  expect(names("ROOM")).toEqual(["compact"]);
  expect(names("message")).toEqual(["git:commit"]);
  expect(names("zzz")).toEqual([]);
});

function Harness({ load, onSend }: { load: () => Promise<CommandSpec[]>; onSend: (text: string) => Promise<void> }) {
  const [draft, setDraft] = useState("");
  return <Composer draft={draft} closed={undefined} commands={load} onDraft={setDraft} onSend={onSend} onSent={() => setDraft("")} />;
}
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

test("one is chosen by keys, and the field says which one is meant", async () => {
  const [load, onSend] = [vi.fn(async () => all), vi.fn(async () => {})];
  render(<Harness load={load} onSend={onSend} />);
  await userEvent.type(field(), "/c");
  const options = await screen.findAllByRole("option");
  expect(options.map((it) => it.dataset["command"])).toEqual(["clear", "compact", "context", "git:commit"]);
  expect(field().getAttribute("aria-activedescendant")).toBe(options[0]?.id);
  await userEvent.type(field(), "{ArrowDown}{Enter}");
  expect(field().value).toBe("/compact ");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(onSend).not.toHaveBeenCalled();
  await userEvent.type(field(), "{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("/compact", expect.any(String), "now");
  expect(load).toHaveBeenCalledOnce();
});

test("one that is written out is sent by Enter, Escape closes the list, and a pointer chooses", async () => {
  const onSend = vi.fn(async () => {});
  render(<Harness load={async () => all} onSend={onSend} />);
  await userEvent.type(field(), "/clear");
  await screen.findByRole("option");
  await userEvent.type(field(), "{Enter}");
  expect(onSend).toHaveBeenCalledOnce();
  await userEvent.type(field(), "/co");
  await screen.findAllByRole("option");
  await userEvent.type(field(), "{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  await userEvent.type(field(), "m");
  await userEvent.click(await screen.findByRole("option", { name: /git:commit/ }));
  expect(field().value).toBe("/git:commit ");
});

test("without a list one types as before", async () => {
  const onSend = vi.fn(async () => {});
  render(<Harness load={() => Promise.reject(new Error("no"))} onSend={onSend} />);
  await userEvent.type(field(), "/clear{Enter}");
  expect(onSend).toHaveBeenCalledOnce();
});
