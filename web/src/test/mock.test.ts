import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type * as z from "zod/mini";
import { messagesSchema, providersSchema, receiptSchema, runsSchema } from "../api/wire.gen.ts";

/** A list leaves out what it can't read; here that is a fault. */
function faults(what: string, schema: z.ZodMiniType, json: unknown): string[] {
  const read = schema.safeParse(json);
  if (!read.success) return [`${what}: ${read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join(", ")}`];
  return Object.entries(json as object).flatMap(([key, value]) => {
    const kept: unknown = (read.data as Record<string, unknown>)[key];
    return Array.isArray(value) && Array.isArray(kept) && value.length > kept.length ? [`${what}: ${value.length - kept.length} of ${key}`] : [];
  });
}

test("the mock server of the browser tests speaks as the server's document says", async () => {
  const mock = spawn(process.execPath, [join(import.meta.dirname, "../../e2e/mock-server.mjs"), "0"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void mock.kill());
  const [line] = (await once(mock.stdout, "data")) as [Buffer];
  const origin = new URL(String(line)).origin;
  const login = await fetch(`${origin}/api/v1/session`, { method: "POST", body: JSON.stringify({ token: "mock-token" }) });
  const cookie = login.headers.get("set-cookie") ?? "";
  const get = async (path: string): Promise<never> => (await fetch(`${origin}/api/v1/${path}`, { headers: { cookie } })).json() as Promise<never>;

  const { runs }: { runs: { id: string }[] } = await get("runs");
  expect(runs.length).toBeGreaterThan(5);
  const found = [...faults("runs", runsSchema, await get("runs")), ...faults("providers", providersSchema, await get("providers"))];
  for (const { id } of runs) {
    found.push(...faults(`messages of ${id}`, messagesSchema, await get(`runs/${id}/messages`)));
    const { entries }: { entries: unknown[] } = await get(`runs/${id}/audit`);
    found.push(...entries.flatMap((entry) => faults(`audit of ${id}`, receiptSchema, entry)));
  }
  expect(found).toEqual([]);
});
