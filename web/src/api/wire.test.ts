import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error It is a script for Node, without types.
import { document, generate } from "../../scripts/api.mjs";

test("the schemas are those of the server's document; `npm run api` writes them anew", () => {
  const written = readFileSync(join(import.meta.dirname, "wire.gen.ts"), "utf8");
  expect(written === generate(document())).toBe(true);
});
