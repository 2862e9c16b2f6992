/** The route lives in the fragment. The fragment may also carry the sign-in token, once. */
export type Route = { at: "list" } | { at: "new" } | RunRoute;
/** A run: its conversation, one message of it, or what was sent to it. */
export type RunRoute = { at: "run"; id: string; audit: boolean; message: Target | undefined };
export type Target = { epoch: string; position: string };

const decoded = (part: string | undefined): string => decodeURIComponent(part ?? "");

export function readRoute(hash: string): Route {
  const path = hash.replace(/^#/, "").split("&")[0] ?? "";
  if (path === "/new") return { at: "new" };
  const [, id, rest = ""] = /^\/runs\/([^/?#]+)\/?([^?#]*)/.exec(path) ?? [];
  if (!id) return { at: "list" };
  const [, epoch, position] = /^at\/([^/]+)\/(\d+\.\d+)$/.exec(rest) ?? [];
  try {
    const message = position === undefined ? undefined : { epoch: decoded(epoch), position };
    return { at: "run", id: decoded(id), audit: rest === "audit", message };
  } catch {
    return { at: "list" };
  }
}

export const toRun = (id: string) => `#/runs/${encodeURIComponent(id)}`;
export const toAudit = (id: string) => `${toRun(id)}/audit`;
export const toMessage = (id: string, { epoch, position }: Target) => `${toRun(id)}/at/${encodeURIComponent(epoch)}/${position}`;
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
