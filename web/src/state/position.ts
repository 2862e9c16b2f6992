/** Positions are "record.block": two whole numbers, ordered by the first, then the second. */
export function comparePositions(a: string, b: string): number {
  const [aRecord = 0, aBlock = 0] = a.split(".").map(Number);
  const [bRecord = 0, bBlock = 0] = b.split(".").map(Number);
  return aRecord - bRecord || aBlock - bBlock;
}

/** Where `position` stands in an ascending list, or the place where it belongs. */
export function findPosition(messages: readonly { position: string }[], position: string): { index: number; found: boolean } {
  let low = 0;
  let high = messages.length;
  // Nearly everything arrives at the end.
  const last = messages.at(-1);
  if (last && comparePositions(last.position, position) < 0) return { index: high, found: false };
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = comparePositions(messages[middle]?.position ?? "0.0", position);
    if (order === 0) return { index: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, found: false };
}
