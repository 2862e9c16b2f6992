import type { Token } from "marked";

export type Level = 3 | 4 | 5 | 6;

/**
 * The level of each block that is a heading. A message stands under an h2 of its own, so its
 * headings begin at h3 whatever they were written as, and never skip one.
 */
export function levels(tokens: readonly Token[]): (Level | undefined)[] {
  const open: number[] = [];
  return tokens.map((token) => {
    if (token.type !== "heading") return undefined;
    while (open.length > 0 && (open.at(-1) ?? 0) >= token["depth"]) open.pop();
    open.push(token["depth"]);
    return Math.min(6, 2 + open.length) as Level;
  });
}
