/**
 * The page against the real server and a real agent CLI. SEAMUX_URL is the whole link
 * that the server printed, token included; SEAMUX_TOOL_PROMPT is a message on which
 * the agent runs a tool that needs no permission.
 */
import { expect, test, type Page } from "@playwright/test";

const link = process.env["SEAMUX_URL"];
const toolPrompt = process.env["SEAMUX_TOOL_PROMPT"] ?? "safe tool";
const slow = { timeout: 60_000 };

if (!link) throw new Error("SEAMUX_URL is not set: scripts/browser-tests.sh starts a server and sets it");
test.describe.configure({ mode: "serial", timeout: 240_000 });

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log", { name: "Conversation" });

async function openDemo(page: Page) {
  await page.goto(link ?? "");
  const row = page.locator("a.run", { hasText: "Demo" }).first();
  await expect(message(page).or(row).first()).toBeVisible(slow);
  if (!(await message(page).isVisible())) await row.click();
  await expect(page.locator(".head .badge")).toHaveText("Demo");
}

async function send(page: Page, text: string) {
  await message(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

/** The texts of the last rows, without what only says how late it is. */
async function lastRows(page: Page): Promise<string[]> {
  await log(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.waitForTimeout(500);
  const texts = await log(page).locator(".row .prose, .row .bubble, .row .tool-title").allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).slice(-4);
}

/** How many finished tool calls stand after the message with this text. Only what is in sight is mounted, so places count. */
function toolsAfter(page: Page, text: string): Promise<number> {
  return log(page).evaluate((element, said) => {
    const rows = [...element.querySelectorAll<HTMLElement>(".row")].toSorted((a, b) => Number(a.dataset["index"]) - Number(b.dataset["index"]));
    const mine = rows.findLastIndex((row) => row.querySelector(".turn.you .bubble")?.textContent === said);
    return mine < 0 ? 0 : rows.slice(mine).reduce((sum, row) => sum + row.querySelectorAll(".tool-status.ok").length, 0);
  }, text);
}

test("a demo run: streams, runs a tool, and shows the same after a reload", async ({ page }) => {
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await openDemo(page);
  expect(page.url()).not.toContain("token");

  await send(page, "stream a long answer");
  const growing = page.locator(".growing");
  await expect(growing).toBeVisible(slow);
  const early = (await growing.innerText()).length;
  await expect.poll(async () => ((await growing.count()) > 0 ? (await growing.innerText()).length : 0), slow).toBeGreaterThan(early + 40);
  await expect(page.locator(".turn.you", { hasText: "stream a long answer" }).last()).toBeVisible(slow);
  await expect(growing).toHaveCount(0, { timeout: 120_000 });
  await expect(page.locator(".pill")).toHaveText("your turn", slow);

  await send(page, toolPrompt);
  await expect.poll(() => toolsAfter(page, toolPrompt), slow).toBeGreaterThan(0);
  await expect(page.locator(".bubble.pending")).toHaveCount(0, slow);
  await expect(page.locator(".pill")).toHaveText("your turn", slow);

  const before = await lastRows(page);
  await page.reload();
  await expect(log(page)).toBeVisible(slow);
  await expect.poll(() => lastRows(page), slow).toEqual(before);
  expect(failures).toEqual([]);
});
