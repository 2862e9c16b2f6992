/** Who sent and answered what, against the mock server: in the conversation, in the list of all of it, and as a file. */
import { readFile } from "node:fs/promises";
import { button, expect, log, noFaults, open, send, test, tooSmall, type Page } from "./page.ts";

const card = (page: Page, name: string | RegExp) => page.locator(".card").and(page.getByRole("group", { name }));
const list = (page: Page) => page.getByRole("list", { name: "What was sent and answered" });
const line = (page: Page, text: string | RegExp) => list(page).locator(".audit-entry", { hasText: text });

async function openAudit(page: Page) {
  await button(page, "More").click();
  await page.getByRole("link", { name: "Sent and answered" }).click();
  await expect(page.getByRole("heading", { name: "Sent and answered" })).toBeVisible();
}

test("messages say where they are from, answers who gave them and when, and what differs is loud", async ({ page }) => {
  await open(page, "books");
  await expect(log(page).locator(".turn.you", { hasText: "Add an importer" })).toContainText("from a program");
  await expect(log(page).locator(".turn.you", { hasText: "Thank you." })).toContainText("from another browser");
  const answered = card(page, "Two things about the import");
  await expect(answered).toContainText("Answered in another browser");
  await expect(answered.locator("time")).toHaveText(/\d\d:\d\d/);
  await expect(card(page, "Which bank first?").getByRole("alert")).toContainText("Answered here: Value date. Recorded by the CLI: Booking date.");
  await send(page, "from here");
  await expect(log(page).locator(".turn.you", { hasText: "from here" }).locator(".ticks.recorded")).toBeVisible();
  await expect(log(page).locator(".turn.you", { hasText: "from here" })).not.toContainText("from another");
});

test("the list of all of it: who, what, when, how, and what became of it; it grows by itself", { tag: "@both" }, async ({ page, request }) => {
  await open(page, "books");
  await openAudit(page);
  await expect(list(page).locator(".audit-entry")).toHaveCount(4);
  await expect(line(page, "Add an importer for the CSV files.")).toContainText("A program");
  await expect(line(page, "Add an importer for the CSV files.")).toContainText("typed into the terminal");
  await expect(line(page, "Two things about the import")).toContainText("Value date");
  await expect(line(page, "Two things about the import")).toContainText("handed to the agent directly");
  await expect(line(page, "Which bank first?")).toContainText("Failed");
  await expect(line(page, "Which bank first?")).toContainText("Recorded by the CLI: Booking date.");
  const cookie = { headers: { cookie: "seamux=mock-token" }, data: { text: "one more", client_id: "b-0a0a0a0a.9" } };
  await request.post("/api/v1/runs/books/reply", cookie);
  await expect(list(page).locator(".audit-entry").first()).toContainText("one more");
  await expect(list(page).locator(".audit-entry").first()).toContainText("Recorded");
  await page.goBack();
  await expect(log(page)).toBeVisible();
});

test("a recorded one leads to its message, and the way back is the browser's", async ({ page }) => {
  await open(page, "books");
  await openAudit(page);
  await line(page, "Two things about the import").getByRole("link", { name: "Show in the conversation" }).click();
  await expect(page.locator(".row.marked")).toContainText("Two things about the import");
  await expect(page.locator(".row.marked")).toBeFocused();
  await page.goBack();
  await expect(list(page)).toBeVisible();
});

test("a message far above is read up to, and one of an earlier conversation too", async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, "long");
  const target = await page.evaluate(async () => {
    const answer = await fetch("/api/v1/runs/long/messages?limit=500");
    const { messages, epoch } = (await answer.json()) as { epoch: string; messages: { position: string; role?: string; text?: string }[] };
    const found = messages.find(({ role, text }) => role === "user" && text?.startsWith("Question 480:"));
    return { epoch, position: found?.position ?? "" };
  });
  await page.goto(`/#/runs/long/at/${target.epoch}/${target.position}`);
  await expect(page.locator(".row.marked")).toContainText("Question 480:");
  await expect(page.locator(".row.marked")).toBeInViewport();
  const first = await page.evaluate(async () => {
    const answer = await fetch("/api/v1/runs/nom/messages?epoch=nom-start");
    return ((await answer.json()) as { messages: { position: string; text?: string }[] }).messages.find(({ text }) => text?.startsWith("What does this crate"))?.position;
  });
  await page.goto(`/#/runs/nom/at/nom-start/${first}`);
  await expect(page.locator(".row.marked")).toContainText("What does this crate do?");
  await page.goto("/#/runs/nom/at/nom-gone/1.0");
  await expect(page.getByText("This message cannot be found in the record any more.")).toBeVisible();
});

test("it is saved as a file, as the server gave it, with the words that were shown", async ({ page }) => {
  await open(page, "books");
  await openAudit(page);
  await expect(line(page, "Thank you.")).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Save as a file").click()]);
  expect(download.suggestedFilename()).toMatch(/^seamux-books-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await readFile((await download.path()) ?? "", "utf8")) as { run: { id: string }; entries: { kind: string; text?: string; dialog?: { title: string } }[] };
  expect(file.run.id).toBe("books");
  expect(file.entries.map(({ kind, text, dialog }) => [kind, text ?? dialog?.title])).toEqual([
    ["reply", "Add an importer for the CSV files."],
    ["answer", "Two things about the import"],
    ["answer", "Which bank first?"],
    ["reply", "Thank you."],
  ]);
});

test("nothing sent yet is a state of its own", async ({ page }) => {
  await open(page, "quiet");
  await openAudit(page);
  await expect(page.getByText("Nothing was sent to this run yet.")).toBeVisible();
});

test("a finger reaches all of it, and nothing is wider than the smallest screen", { tag: "@phone" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "books");
  await openAudit(page);
  await expect(line(page, "Thank you.")).toBeVisible();
  expect(await tooSmall(page, "button, a.btn, .audit-entry a")).toEqual([]);
  expect(await page.locator(".audit").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await button(page, "More").click();
  expect(await tooSmall(page, ".menu-list .btn")).toEqual([]);
});

test("axe finds nothing in it", async ({ page }) => {
  await open(page, "books");
  await noFaults(page, "books");
  await openAudit(page);
  await expect(line(page, "Thank you.")).toBeVisible();
  await noFaults(page, "audit");
});
