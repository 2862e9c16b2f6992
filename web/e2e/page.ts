/**
 * What every test against the mock server begins with. Each worker has a mock server of its own,
 * which begins anew for each test; a test fails if the page complains in its console.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";

export { expect, type Page };
export const link = "/#token=mock-token";
export const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
export const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

/** Opens a run; signs in if nothing was opened yet. */
export async function open(page: Page, id: string) {
  await page.goto(page.url() === "about:blank" ? `${link}&run=${id}` : `/#/runs/${id}`);
  await page.locator(".thread, .main .notice").first().waitFor();
}

export async function send(page: Page, text: string) {
  await message(page).fill(text);
  await button(page, "Send").click();
}

export const gapToEnd = (page: Page) => log(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

/** What an audit finds: everything in the light scheme; in the dark one, what a scheme can spoil. */
export async function noFaults(page: Page, what: string) {
  await page.waitForTimeout(150);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    // There are no frames: without looking for them it need not open a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const { violations } = await (scheme === "dark" ? axe.withRules(["color-contrast"]) : axe).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    expect({ what, scheme, found }).toEqual({ what, scheme, found: [] });
  }
}

/** What a finger would miss: everything to press that is lower than 44 px. */
export const tooSmall = (page: Page, what = "button, a.btn") =>
  page.evaluate(
    (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => `${one.tagName}.${one.className} ${one.textContent}`),
    what,
  );

type Each = { baseURL: string; calm: void };
type Worker = { mock: string };

export const test = base.extend<Each, Worker>({
  mock: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const server = spawn(process.execPath, [join(import.meta.dirname, "mock-server.mjs"), "0"], { stdio: ["ignore", "pipe", "inherit"] });
      const ended = once(server, "exit");
      await provide(await address(server));
      server.kill();
      await ended;
    },
    { scope: "worker" },
  ],
  baseURL: async ({ mock }, provide) => provide(mock),
  calm: [
    async ({ page, request }, provide) => {
      await request.get("/mock/reset");
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (entry) => {
        // What the server refuses is a part of the tests, and the browser notes each refusal.
        if (entry.type() === "error" && !/Failed to load resource|ERR_/.test(entry.text())) problems.push(entry.text());
      });
      await provide();
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** The server prints its link once it listens. */
async function address(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error("the mock server has no output");
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /^http:\/\/[^/]+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error("the mock server did not start");
}
