/** Markdown as React elements. No HTML string exists on the way, so nothing can be injected. */
import { memo, useRef } from "react";
import { Block } from "./block.tsx";
import { blocks, grow, type Growing } from "./lex.ts";

export const Markdown = memo(({ text }: { text: string }) => (
  <div className="prose">
    {blocks(text).map((token, i) => (
      // oxlint-disable-next-line react/no-array-index-key
      <Block key={i} token={token} />
    ))}
  </div>
));
Markdown.displayName = "Markdown";

/** The same for a text that is being written, with a caret after it. */
export function GrowingMarkdown({ text }: { text: string }) {
  const state = useRef<Growing>({ text: "", tokens: [] });
  state.current = grow(state.current, text);
  return (
    <div className="prose growing">
      {state.current.tokens.map((token, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={i} token={token} />
      ))}
    </div>
  );
}
