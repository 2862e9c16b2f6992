import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
// Written backwards, so that this file does not find itself.
const names = ["edualc", "xedoc", "edocnepo", "inimeg"].map((name) => [...name].toReversed().join(""));
const pattern = new RegExp(names.join("|"), "i");

const named = (files: Iterable<readonly [string, string]>) => [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);

function* sources(): Iterable<readonly [string, string]> {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield [path, readFileSync(path, "utf8")];
  }
  for (const name of ["index.html", "public/manifest.webmanifest"]) yield [name, readFileSync(join(root, "..", name), "utf8")];
}

test("no provider's name stands in the page", () => {
  const all = [...sources()];
  expect(all.length).toBeGreaterThan(60);
  expect(named(all)).toEqual([]);
});

test("and it would be found", () => {
  for (const name of names) expect(named([["x.ts", `say("Ask ${name.toUpperCase()} Code")`]])).toEqual(["x.ts"]);
});

test("no file has an HTML string on its way to the page", () => {
  const risky = [...sources()].filter(([path, text]) => !path.includes(".test.") && /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|\beval\(/.test(text));
  expect(risky.map(([path]) => path)).toEqual([]);
});
