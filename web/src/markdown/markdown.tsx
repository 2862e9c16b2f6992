/** Markdown as React elements. No HTML string exists on the way, so nothing can be injected. */
import type { Token } from "marked";
import { memo, useState } from "react";
import { Block } from "./block.tsx";
import { blocks, growing } from "./lex.ts";
import { levels } from "./levels.ts";

function Blocks({ tokens, className }: { tokens: readonly Token[]; className: string }) {
  const level = levels(tokens);
  return (
    <div className={className}>
      {tokens.map((token, i) => (
        <Block key={i} token={token} level={level[i]} />
      ))}
    </div>
  );
}

export const Markdown = memo(({ text }: { text: string }) => <Blocks className="prose" tokens={blocks(text)} />);
Markdown.displayName = "Markdown";

/** The same for a text that is being written, with a caret after it. */
export function GrowingMarkdown({ text }: { text: string }) {
  const [read] = useState(growing);
  return <Blocks className="prose growing" tokens={read(text)} />;
}
