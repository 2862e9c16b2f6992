/** The route lives in the fragment. The fragment may also carry the sign-in token, once. */
export type Route = { at: "list" } | { at: "new" } | { at: "run"; id: string };

export function readRoute(hash: string): Route {
  const path = hash.replace(/^#/, "").split("&")[0] ?? "";
  if (path === "/new") return { at: "new" };
  const id = /^\/runs\/([^/?#]+)/.exec(path)?.[1];
  if (!id) return { at: "list" };
  try {
    return { at: "run", id: decodeURIComponent(id) };
  } catch {
    return { at: "list" };
  }
}

export const toRun = (id: string) => `#/runs/${encodeURIComponent(id)}`;
export const toList = "#/";
export const toNew = "#/new";

/** `#token=…`, alone or beside a run: `#token=…&run=ID`, `#/runs/ID?token=…`, `#/runs/ID&token=…`. */
export function readToken(hash: string): { token: string; rest: string } | null {
  const token = /[#?&]token=([^&]*)/.exec(hash)?.[1];
  if (!token) return null;
  const named = /[#?&]run=([^&]+)/.exec(hash)?.[1];
  const path = /^#(\/[^?&]*)/.exec(hash)?.[1];
  const rest = named ? `#/runs/${named}` : path ? `#${path}` : "";
  try {
    return { token: decodeURIComponent(token), rest };
  } catch {
    return { token, rest };
  }
}
