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

/** Does this key send after the turn? Only asked while the agent works. */
export const sendsLater = (key: Key): boolean => (key.ctrlKey || key.metaKey) && key.shiftKey && sends(key, true);

/** What was typed after the text that has just been sent stays; the sent text goes. */
export function afterSent(draft: string, sent: string): string {
  return draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft;
}
