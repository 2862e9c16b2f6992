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
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Nothing waits and nothing works: whatever an earlier test left is over. */
async function settled(page: Page) {
  await expect(page.locator(".pill")).toHaveText(/your turn|ready/, slow);
}

const cards = (page: Page) => page.locator(".card");
/** Sends what makes the agent ask, and gives the card that waits. */
async function sendAndWait(page: Page, text: string) {
  await settled(page);
  await send(page, text);
  await expect(page.locator(".pill.question")).toBeVisible(slow);
  const card = page.locator(".card:not(.settled)").last();
  await expect(card).toContainText("also open in the terminal", slow);
  return card;
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
  await settled(page);
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

test("several questions are answered in the page, and the record says the same", async ({ page }) => {
  await openDemo(page);
  const open = await sendAndWait(page, "ask many");
  await open.getByRole("radio", { name: /Blue/ }).click();
  await open.getByRole("tab", { name: "Toppings" }).click();
  await open.getByRole("checkbox", { name: /Ham/ }).click();
  await open.getByRole("checkbox", { name: /Corn/ }).click();
  await open.getByRole("textbox", { name: "Your own words" }).fill("rocket");
  // Half made, it survives a reload.
  await page.reload();
  const card = cards(page).filter({ has: page.getByRole("tab") }).last();
  await expect(card.getByRole("tab", { name: "answered: Toppings" })).toBeVisible(slow);
  await card.getByRole("tab", { name: "Layout" }).click();
  await card.getByRole("radio", { name: /Row/ }).click();
  await card.getByRole("button", { name: "Send answer" }).click();
  await settled(page);
  const done = cards(page).last();
  await expect(done).toContainText("Answered by you", slow);
  await expect(done.locator("dd")).toHaveText(["Blue", "Ham, Corn, rocket", "Row"], slow);
  await expect(log(page).getByText(/Thank you. I heard/).last()).toBeVisible(slow);
});

test("a command is allowed in the page, and its call is done", async ({ page }) => {
  await openDemo(page);
  const card = await sendAndWait(page, "run a command");
  await card.getByRole("button", { name: "Allow once" }).click();
  await settled(page);
  await expect(page.locator(".card.approval")).toHaveCount(0, slow);
  await expect.poll(() => toolsAfter(page, "run a command"), slow).toBeGreaterThan(0);
});

test("a plan is approved in the page, and carried out", async ({ page }) => {
  await openDemo(page);
  await settled(page);
  await send(page, "make a plan");
  const card = page.locator(".card.plan:not(.settled)");
  const other = page.locator(".card.approval:not(.settled)").getByRole("button", { name: "Allow once" });
  // The way to the plan may ask for permissions of its own.
  for (;;) {
    await expect(card.or(other).first()).toBeVisible(slow);
    if (await card.isVisible()) break;
    await other.first().click();
    await expect(other).toHaveCount(0, slow);
  }
  await expect(card).toContainText("also open in the terminal", slow);
  await card.getByRole("button", { name: /^Approve, ask before edits/ }).click();
  await settled(page);
  await expect(page.locator(".card.plan").last()).toContainText("Answered by you", slow);
  await expect(page.locator(".card.plan").last()).toContainText("Approve, ask before edits");
});

test("a reply that meets a dialog is held, changed, and sent once after the answer", async ({ page }, { project }) => {
  // Both projects talk to the same run.
  const [first, second] = [`echo the first words, ${project.name}`, `echo the second words, ${project.name}`];
  await openDemo(page);
  const card = await sendAndWait(page, "ask one");
  await send(page, first);
  const held = page.getByRole("region", { name: "1 reply held" });
  await expect(held).toContainText(first, slow);
  await held.getByRole("button", { name: /^Edit/ }).click();
  await page.getByRole("textbox", { name: "Held reply" }).fill(second);
  await held.getByRole("button", { name: "Save" }).click();
  await expect(held.locator(".held-text")).toHaveText(second, slow);
  // The server has it: another page says the same.
  await page.reload();
  await expect(held.locator(".held-text")).toHaveText(second, slow);
  await card.getByRole("radio").first().click();
  await card.getByRole("button", { name: "Send answer" }).click();
  const mine = page.locator(".turn.you", { hasText: second });
  await expect(mine.locator(".ticks.recorded")).toBeVisible(slow);
  await expect(page.locator(".queue .held")).toHaveCount(0);
  await settled(page);
  await expect(mine).toHaveCount(1);
  await expect(page.locator(".turn.you", { hasText: first })).toHaveCount(0);
  await expect(cards(page).last()).toContainText("Answered by you", slow);

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("link", { name: "Sent and answered" }).click();
  const line = page.locator(".audit-entry", { hasText: second });
  await expect(line).toHaveCount(1, slow);
  await expect(line).toContainText("Recorded");
  await expect(page.locator(".audit-entry", { hasText: "handed to the agent directly" }).first()).toContainText("You, in this browser");
  await line.getByRole("link", { name: "Show in the conversation" }).click();
  await expect(page.locator(".row.marked")).toContainText(second, slow);
});
