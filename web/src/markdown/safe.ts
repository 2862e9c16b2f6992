/** Which links may be followed, and what a character reference stands for. */
const SAFE = /^(?:https?:\/\/|mailto:|#)/i;
// Control, zero-width and direction characters: browsers skip some of them, people can't see any.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g;

/** The address to link to, or null when the link must stay text. */
export function safeHref(href: string): string | null {
  const clean = href.replace(INVISIBLE, "");
  return SAFE.test(clean) ? clean : null;
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** References become characters. The result is only ever text. */
export function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,5}));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? all) : all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : all;
  });
}
