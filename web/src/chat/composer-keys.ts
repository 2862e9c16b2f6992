/** Does this key send? Pure, and asked at the key: a tablet may get or lose its keyboard at any time. */
type Key = {
  key: string;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  keyCode: number;
  isComposing: boolean;
};

export function sends(key: Key, coarse: boolean): boolean {
  if (key.key !== "Enter") return false;
  // The Enter that ends a composition (229 in browsers that forget to say so) chooses a word.
  if (key.isComposing || key.keyCode === 229) return false;
  if (key.ctrlKey || key.metaKey) return true;
  return !key.shiftKey && !key.altKey && !coarse;
}

/** What was typed after the text that has just been sent stays; the sent text goes. */
export function afterSent(draft: string, sent: string): string {
  return draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft;
}

/** Random ids also where the page is not a secure context. */
export function newId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, i) => {
    const value = i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
