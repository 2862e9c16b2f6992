import { render, screen, within } from "@testing-library/react";
import { Lexer } from "marked";
import { expect, test } from "vitest";
import { grow, growing } from "./lex.ts";
import { GrowingMarkdown, Markdown } from "./markdown.tsx";

test("headings stand under the message's own, and skip no level", () => {
  render(<Markdown text={"### Three\n\n# One\n\n##### Five\n\n## Two\n\n### Three\n\n> # quoted"} />);
  expect(screen.getAllByRole("heading").map((heading) => heading.tagName)).toEqual(["H3", "H3", "H4", "H4", "H5"]);
});

test("tables, with their alignment", () => {
  render(<Markdown text={"| a | b |\n| --- | ---: |\n| 1 | **2** |"} />);
  expect(screen.getByRole("columnheader", { name: "b" })).toHaveProperty("style.textAlign", "right");
  expect(screen.getByRole("cell", { name: "2" }).querySelector("strong")).not.toBeNull();
});

test("code keeps its spaces, says its language, and can be copied", () => {
  render(<Markdown text={"```rust\nfn a() {\n    b(&amp;c);\n}\n```"} />);
  const code = screen.getByRole("group", { name: "rust" });
  expect(code.textContent).toBe("fn a() {\n    b(&amp;c);\n}");
  expect(screen.getByRole("button", { name: "Copy code" })).toBeTruthy();
});

test("lists, nested and with boxes", () => {
  render(<Markdown text={"3. a\n   - b\n4. c\n\n---\n\n- [x] done"} />);
  const [outer] = screen.getAllByRole("list");
  expect(outer?.getAttribute("start")).toBe("3");
  expect(within(outer as HTMLElement).getByText("b")).toBeTruthy();
  expect(document.querySelector<HTMLInputElement>("li.task input")?.checked).toBe(true);
});

test("references become characters in text, and stay as they are in code", () => {
  const { container } = render(<Markdown text={"a &lt; b &amp; c &#65; `&lt;`"} />);
  expect(container.textContent).toBe("a < b & c A &lt;");
});

test("links go out safely, pictures are links", () => {
  render(<Markdown text={"[a](https://a.example) ![pic](https://b.example/x.png) [c](/x)"} />);
  expect(screen.getByRole("link", { name: "a" }).getAttribute("rel")).toContain("noopener");
  expect(screen.getByRole("link", { name: "pic" }).getAttribute("href")).toBe("https://b.example/x.png");
  expect(screen.queryByRole("link", { name: "c" })).toBeNull();
  expect(document.querySelector("img")).toBeNull();
});

const answer = "# A\n\nSome *text* with `code`.\n\n- one\n- two\n\n  more\n\n```js\nlet a = 1;\n\n\nlet b;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nEnd.\n\n> quote\n\nlast **bold** word";

test("a growing text reads the same as the whole at each step", () => {
  const read = growing();
  for (let end = 0; end <= answer.length; end += 3) {
    const text = answer.slice(0, end);
    expect(read(text).map(({ raw }) => raw)).toEqual(new Lexer({ gfm: true }).lex(text).map(({ raw }) => raw));
  }
});

test("a text that was replaced is read anew", () => {
  const state = grow({ text: "", tokens: [] }, answer);
  expect(grow(state, "other").tokens).toHaveLength(1);
});

test("the caret's place is marked while a text grows", () => {
  const { container } = render(<GrowingMarkdown text="so far" />);
  expect(container.querySelector(".growing")?.textContent).toBe("so far");
});
