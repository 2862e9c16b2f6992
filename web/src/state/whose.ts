/** Who did what a receipt tells of, as far as anybody knows. */
import type { Receipt } from "../api/schema.ts";
import { device, deviceOf } from "./device.ts";

/**
 * `you` is this browser and `another` another one; `browser` is one of the two. `terminal` is a person at the
 * terminal. Everything else is the server's own word: `token`, `seamux`, or one that this page does not know.
 */
export function whose({ by, door, client_id }: Pick<Receipt, "by" | "door" | "client_id">): string {
  if (door === "terminal") return "terminal";
  const from = deviceOf(client_id);
  if (from === device()) return "you";
  if (by !== "browser") return by;
  return from === undefined ? "browser" : "another";
}
