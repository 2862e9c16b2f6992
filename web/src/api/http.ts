import type * as z from "zod/mini";
import { strings } from "../strings.ts";
import { problemSchema, type Dialog } from "./schema.ts";

type More = { code?: string; hint?: string | undefined; field?: string | undefined; dialog?: Dialog | undefined };

/** The server's own words about why not. Fit to show as they are. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  readonly dialog: Dialog | undefined;

  constructor(message: string, status: number, more: More = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = more.code ?? "unknown";
    this.hint = more.hint;
    this.field = more.field;
    this.dialog = more.dialog;
  }
}

/** Everything that can be thrown at a person, as something that can be shown. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(strings.errors.unexpected, 0);
}

export type Query = Record<string, string | number | undefined>;

export function url(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, String(value));
  const tail = params.toString();
  return `/api/v1/${path}${tail ? `?${tail}` : ""}`;
}

async function problem(response: Response): Promise<ApiError> {
  const json: unknown = await response.json().catch(() => undefined);
  const read = problemSchema.safeParse(json);
  if (!read.success) return new ApiError(strings.errors.status(response.status), response.status);
  const { detail, title, code, hint, field, dialog } = read.data;
  return new ApiError(detail || title || strings.errors.status(response.status), response.status, { code, hint, field, dialog });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin", ...init }).catch(() => {
    throw new ApiError(strings.errors.unreachable, 0, { code: "unreachable" });
  });
  if (!response.ok) throw await problem(response);
  return response;
}

async function parse<T>(response: Response, schema: z.ZodMiniType<T>): Promise<T> {
  const json: unknown = await response.json().catch(() => undefined);
  const read = schema.safeParse(json);
  if (!read.success) throw new ApiError(strings.errors.unreadable, response.status, { code: "unreadable" });
  return read.data;
}

export async function get<T>(path: string, schema: z.ZodMiniType<T>, signal?: AbortSignal): Promise<T> {
  return parse(await send(path, signal ? { signal } : {}), schema);
}

const withBody = (method: "POST" | "PATCH", path: string, body: unknown) =>
  send(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const post = (path: string, body: unknown) => withBody("POST", path, body);

export async function postFor<T>(path: string, body: unknown, schema: z.ZodMiniType<T>): Promise<T> {
  return parse(await post(path, body), schema);
}

export async function patchFor<T>(path: string, body: unknown, schema: z.ZodMiniType<T>): Promise<T> {
  return parse(await withBody("PATCH", path, body), schema);
}

export async function deleteFor<T>(path: string, schema: z.ZodMiniType<T>): Promise<T> {
  return parse(await send(path, { method: "DELETE" }), schema);
}

/** For answers without a body that matters. */
export async function postOnly(path: string, body: unknown): Promise<void> {
  await post(path, body);
}
