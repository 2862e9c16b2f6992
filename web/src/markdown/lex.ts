import { Lexer, type Token } from "marked";

const KEPT = 300;
const finished = new Map<string, Token[]>();

const lex = (text: string): Token[] => new Lexer({ gfm: true, breaks: false }).lex(text);

/** The blocks of a text that is complete. Kept, because a long list draws the same texts again while it scrolls. */
export function blocks(text: string): Token[] {
  const known = finished.get(text);
  if (known) {
    finished.delete(text);
    finished.set(text, known);
    return known;
  }
  const tokens = lex(text);
  finished.set(text, tokens);
  if (finished.size > KEPT) {
    const oldest = finished.keys().next().value;
    if (oldest !== undefined) finished.delete(oldest);
  }
  return tokens;
}

export type Growing = { text: string; tokens: Token[] };

/** The blocks of a text that grows: only its last two are read again. */
export function grow(before: Growing, text: string): Growing {
  if (before.text === text) return before;
  const kept = text.startsWith(before.text) ? before.tokens.slice(0, -2) : [];
  const start = kept.reduce((length, token) => length + token.raw.length, 0);
  // The lexer may have changed white space; then the sum is no place in the text, and all is read again.
  const clean = kept.map((token) => token.raw).join("") === text.slice(0, start);
  return { text, tokens: clean ? [...kept, ...lex(text.slice(start))] : lex(text) };
}

/** A reader for one growing text, which remembers how far it was. */
export function growing(): (text: string) => Token[] {
  let state: Growing = { text: "", tokens: [] };
  return (text) => {
    state = grow(state, text);
    return state.tokens;
  };
}
