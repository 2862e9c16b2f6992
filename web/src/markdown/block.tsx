import type { MarkedToken, Token, Tokens } from "marked";
import { memo, type CSSProperties, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { inline } from "./inline.tsx";
import type { Level } from "./levels.ts";

const aligned: Record<string, CSSProperties> = {
  left: { textAlign: "left" },
  center: { textAlign: "center" },
  right: { textAlign: "right" },
};
const align = (cell: Tokens.TableCell) => (cell.align ? { style: aligned[cell.align] } : {});

function Table({ token }: { token: Tokens.Table }) {
  return (
    <div className="table" tabIndex={0} role="group" aria-label="table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, i) => (
              <th key={i} scope="col" {...align(cell)}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, r) => (
            <tr key={r}>
              {row.map((cell, i) => (
                <td key={i} {...align(cell)}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Inside of a list or a quote a heading is a strong line: it opens no part of the message. */
function heading(token: Tokens.Heading, level: Level | undefined): ReactNode {
  const Level = level === undefined ? "p" : (`h${level}` as const);
  return <Level className={`h${token.depth}`}>{inline(token.tokens)}</Level>;
}

function list(token: Tokens.List): ReactNode {
  const items = token.items.map((item, i) => (
    <li key={i} className={item.task ? "task" : undefined}>
      {item.tokens.map((part, p) => (
        <Block key={p} token={part} />
      ))}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={typeof token.start === "number" ? token.start : 1}>{items}</ol>;
}

function render(any: Token, level: Level | undefined): ReactNode {
  const token = any as MarkedToken;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "code":
      return <CodeBlock text={token.text} language={/^[\w+#.-]{1,24}/.exec(token.lang ?? "")?.[0] ?? ""} />;
    case "heading":
      return heading(token, level);
    case "blockquote":
      return (
        <blockquote>
          {token.tokens.map((part, i) => (
            <Block key={i} token={part} />
          ))}
        </blockquote>
      );
    case "list":
      return list(token);
    case "table":
      return <Table token={token} />;
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "html":
      return <p>{token.raw}</p>;
    default:
      return inline([token]);
  }
}

/** A block that did not change is not drawn again while the text after it grows. */
export const Block = memo(
  ({ token, level }: { token: Token; level?: Level | undefined }) => render(token, level),
  (a, b) => a.level === b.level && a.token.raw === b.token.raw && a.token.type === b.token.type,
);
Block.displayName = "Block";
