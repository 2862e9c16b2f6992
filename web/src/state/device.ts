/** Tells what this browser sent from what another one sent. The id names nobody, and leaves only in the ids of what is sent. */
import { newId } from "./id.ts";

const KEY = "seamux-device";
const shape = /^b-[0-9a-f]{8}$/;

let fresh: string | undefined;

/** The same for every tab of this browser; without a storage, for as long as the page is open. */
export function device(): string {
  fresh ??= `b-${newId().slice(0, 8)}`;
  try {
    const kept = localStorage.getItem(KEY);
    if (kept !== null && shape.test(kept)) return kept;
    localStorage.setItem(KEY, fresh);
  } catch {
    // No storage is allowed here.
  }
  return fresh;
}

/** Names one thing that is sent, and the browser that it was sent from. */
export const newClientId = (): string => `${device()}.${newId()}`;

/** The browser in such a name; undefined for a name of another make. */
export function deviceOf(clientId: string | undefined): string | undefined {
  const first = clientId?.split(".")[0];
  return first !== undefined && shape.test(first) ? first : undefined;
}
