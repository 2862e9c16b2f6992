/** Markdown as React elements. No HTML string exists on the way, so nothing can be injected. */
import { memo, useState } from "react";
import { Block } from "./block.tsx";
import { blocks, growing } from "./lex.ts";

export const Markdown = memo(({ text }: { text: string }) => (
  <div className="prose">
    {blocks(text).map((token, i) => (
      <Block key={i} token={token} />
    ))}
  </div>
));
Markdown.displayName = "Markdown";

/** The same for a text that is being written, with a caret after it. */
export function GrowingMarkdown({ text }: { text: string }) {
  const [read] = useState(growing);
  return (
    <div className="prose growing">
      {read(text).map((token, i) => (
        <Block key={i} token={token} />
      ))}
    </div>
  );
}
