/** What stands beside the main line, against the mock: earlier epochs, left branches, subagents, hidden records. */
import { expect, link, log, noFaults, open, type Page, test } from "./page.ts";

const show = (page: Page) => page.getByRole("button", { name: "Show the earlier conversation" });

const top = (page: Page, text: string) =>
  page.evaluate((words) => [...document.querySelectorAll(".row")].find((row) => row.textContent?.includes(words))?.getBoundingClientRect().top ?? Number.NaN, text);

/** Scrolls up, as a hand would, until the words are there. */
async function upTo(page: Page, words: string | RegExp) {
  for (let i = 0; i < 400 && (await log(page).getByText(words, { exact: typeof words === "string" }).count()) === 0; i += 1) {
    await log(page).evaluate((element) => element.scrollBy(0, -400));
    await page.waitForTimeout(40);
  }
  await expect(log(page).getByText(words, { exact: typeof words === "string" })).toHaveCount(1);
}

async function showHidden(page: Page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("checkbox", { name: /Show hidden records/ }).check();
  await page.keyboard.press("Escape");
}

test("an earlier epoch opens above its knot, nothing moves, and the one before it follows", async ({ page }) => {
  test.setTimeout(120_000);
  // Low enough that the current epoch alone fills it.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 560 });
  await open(page, "nom");
  await expect(log(page).getByText("Now the length decoder")).toBeVisible();
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  await expect(page.getByText("The conversation was cleared here")).toBeVisible();
  const before = await top(page, "The conversation was cleared here");
  await show(page).click();
  await expect(page.getByRole("button", { name: "Hide the earlier conversation" })).toBeVisible();
  await page.waitForTimeout(300);
  expect(Math.abs((await top(page, "The conversation was cleared here")) - before)).toBeLessThan(4);
  await upTo(page, "Earlier question 65");
  expect(await page.locator(".row").count()).toBeLessThan(60);
  await upTo(page, "The conversation was compacted here");
  await show(page).click();
  await upTo(page, "What does this crate do?");
  await expect(log(page).getByText("Started")).toHaveCount(1);
  await page.reload();
  await expect(show(page)).toHaveCount(1);
  await expect(log(page).getByText("Earlier answer 69")).toHaveCount(0);
});

test("a page that takes its time says so at the top, and moves nothing when it comes", async ({ page }) => {
  await page.route(/messages\?.*before=/, async (route) => {
    await new Promise((done) => setTimeout(done, 1200));
    await route.continue();
  });
  await open(page, "long");
  await expect(log(page).getByText("Part 599 reads")).toBeVisible();
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  await expect(page.getByText("Reading earlier messages")).toBeVisible();
  await page.waitForTimeout(500);
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  await page.waitForTimeout(100);
  const first = (await page.locator(".row").first().textContent()) ?? "";
  const before = await top(page, first);
  await expect(page.getByText("Reading earlier messages")).toHaveCount(0);
  await page.waitForTimeout(300);
  expect(Math.abs((await top(page, first)) - before)).toBeLessThan(6);
});

test("an earlier epoch is closed again, with the keyboard", { tag: "@both" }, async ({ page }) => {
  await open(page, "nom");
  await show(page).focus();
  await page.keyboard.press("Enter");
  const hide = page.getByRole("button", { name: "Hide the earlier conversation" });
  await expect(hide).toBeVisible();
  await expect(hide).toBeFocused();
  await expect(log(page).getByText(/Earlier answer 69/)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(show(page)).toBeVisible();
  await expect(log(page).getByText(/Earlier answer 69/)).toHaveCount(0);
});

test("a record that is gone says so, with what next", async ({ page }) => {
  await open(page, "forked");
  await expect(page.getByText("The conversation was forked here")).toBeVisible();
  await show(page).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("not on this machine any more");
  await expect(alert).toContainText("It may be in a backup");
  await expect(alert.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a run that was cleared is empty, and its earlier conversation one press away", async ({ page, request }) => {
  await open(page, "demo");
  await expect(log(page).getByText("This is a demo.")).toBeVisible();
  await request.get("/mock/clear");
  await expect(page.getByText("Nothing has been said yet.")).toBeVisible();
  await show(page).click();
  await expect(log(page).getByText("This is a demo.")).toBeVisible();
  await expect(page.getByText("The conversation was cleared here")).toBeVisible();
  await page.getByRole("textbox", { name: "Message" }).fill("and now");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(log(page).getByText("You said: and now")).toBeVisible();
});

test("a branch that was left is one quiet row, and opens dimmed", async ({ page }) => {
  await open(page, "rewound");
  const fold = page.getByRole("button", { name: "3 messages on a branch that was left" });
  await expect(fold).toBeVisible();
  await expect(log(page).getByText("In the database.", { exact: true })).toHaveCount(0);
  await fold.click();
  await expect(log(page).locator(".turn.left", { hasText: "In the database." })).toBeVisible();
  await expect(fold).toHaveAttribute("aria-expanded", "true");
  await fold.click();
  await expect(log(page).getByText("In the database.", { exact: true })).toHaveCount(0);
});

test("a rewind while one looks on folds what was left", async ({ page, request }) => {
  await open(page, "demo");
  await page.getByRole("textbox", { name: "Message" }).fill("first try");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(log(page).getByText("You said: first try")).toBeVisible();
  await request.get("/mock/rewind");
  await expect(page.getByRole("button", { name: "2 messages on a branch that was left" })).toBeVisible();
  await expect(log(page).getByText("You said: first try")).toHaveCount(0);
});

test("a subagent's conversation opens in its card, with its tools and its own subagent", async ({ page }) => {
  await open(page, "login");
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole("button", { name: /Asked a subagent to read the logs/ }).click();
  const card = page.getByRole("group", { name: "What the subagent did: Read the logs of Monday" });
  await expect(card).toContainText("Say which query takes the time");
  // The answer is its last word and stands there once.
  await expect(page.getByText("The time goes into one query.")).toHaveCount(1);
  await card.getByRole("button", { name: /grep -c slow/ }).click();
  await expect(card.getByText("412", { exact: true })).toBeVisible();
  await card.getByRole("button", { name: /Asked a subagent to count/ }).click();
  await expect(card.getByRole("group", { name: "What the subagent did: Count the slow lines by query" })).toContainText("One query has 398 of 412.");
});

test("a running subagent is followed while its card is open, once in two seconds at most", async ({ page, request }) => {
  const asked = async () => ((await (await request.get("/mock/asked")).json()) as { asked: number }).asked;
  await open(page, "notes");
  expect(await asked()).toBe(0);
  const line = page.getByRole("button", { name: /Reading incidents 1 to 9/ });
  await line.click();
  await expect(page.getByText("Reading the first one.")).toBeVisible();
  const first = await asked();
  for (let i = 0; i < 8; i += 1) await request.get("/mock/subagent");
  await expect(page.getByText("Note 9 is read.")).toBeVisible();
  expect(await asked()).toBeLessThanOrEqual(first + 2);
  await page.getByRole("button", { name: /Reading incidents 10 to 14/ }).click();
  await expect(page.getByText("The subagent has not written anything yet.")).toBeVisible();
  await line.click();
  const closed = await asked();
  await request.get("/mock/subagent");
  await page.waitForTimeout(2500);
  expect(await asked()).toBe(closed);
});

test("a card at the end opens under its line: the line stays where it was pressed", async ({ page }) => {
  await open(page, "cards");
  const line = page.getByRole("button", { name: /Long one/ });
  const before = await line.boundingBox();
  await line.click();
  await expect(page.getByText("Step 109 is done.")).toHaveCount(1);
  await page.waitForTimeout(300);
  expect(Math.abs(((await line.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4);
  await expect(page.getByText("Step 69 is done.")).toHaveCount(0);
  await page.getByRole("button", { name: "Show earlier messages" }).click();
  await expect(page.getByText("Step 69 is done.")).toHaveCount(1);
});

test("a subagent without a record, or with one that can't be read, says so", async ({ page }) => {
  await open(page, "cards");
  await page.getByRole("button", { name: /Broken record/ }).click();
  await expect(page.getByRole("alert")).toContainText("What the subagent did could not be read. The record of this subagent is not text.");
  await expect(page.getByRole("alert")).toContainText("Attach to see it in the terminal.");
  await expect(page.getByText("It answered all the same.")).toBeVisible();
  await page.getByRole("button", { name: /Silent one/ }).click();
  await expect(page.getByText("The subagent left no messages.")).toBeVisible();
});

test("hidden records are shown in place when wanted, by this browser, and divide nothing", async ({ page }) => {
  await open(page, "rewound");
  await expect(log(page).getByText("There are two ways")).toBeVisible();
  await expect(page.locator(".record")).toHaveCount(0);
  const groups = await log(page).locator(".tools").count();
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.locator(".menu-check")).toContainText("4 loaded");
  await page.keyboard.press("Escape");
  await showHidden(page);
  await expect(page.locator(".record")).toHaveCount(4);
  expect(await log(page).locator(".tools").count()).toBe(groups);
  await expect(page.getByRole("list", { name: "2 tool calls" }).locator(".record")).toHaveCount(2);
  await expect(page.locator(".record", { hasText: "kept as it is" })).toHaveCount(2);
  await page.getByRole("button", { name: /^hidden <system-reminder>/ }).click();
  await expect(page.getByRole("group", { name: "Hidden record" })).toContainText("Don't mention this to the person.");
  await page.reload();
  await expect(page.locator(".record").first()).toBeVisible();
});

test("a resync that names a run reads that conversation again, and no other", async ({ page, request }) => {
  const asked: string[] = [];
  page.on("request", (one) => asked.push(new URL(one.url()).pathname));
  const conversations = () => asked.filter((path) => path.endsWith("/messages"));
  await open(page, "nom");
  await expect.poll(conversations).toEqual(["/api/v1/runs/nom/messages"]);
  await request.get("/mock/resync-nom");
  await expect.poll(conversations).toEqual(["/api/v1/runs/nom/messages", "/api/v1/runs/nom/messages"]);
  await page.goto("/#/runs/login");
  await expect(log(page).getByText("The login is slow because")).toBeVisible();
  await page.waitForTimeout(300);
  asked.length = 0;
  await request.get("/mock/resync-nom");
  await page.waitForTimeout(500);
  expect(asked).toEqual([]);
});

test("a question that is taller than the screen opens with its title in sight", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "tall");
  await expect(page.getByRole("heading", { name: "How should the cache be kept?" })).toBeInViewport();
  await page.waitForTimeout(500);
  await expect(page.getByRole("heading", { name: "How should the cache be kept?" })).toBeInViewport();
});

test("the browser's own colour follows the theme", async ({ page }) => {
  await page.goto(link);
  await page.getByRole("link", { name: /Import bank statements/ }).waitFor();
  const colours = () => page.evaluate(() => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((tag) => tag.content));
  expect(await colours()).toEqual(["#fbfaf8", "#151412"]);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  expect(await colours()).toEqual(["#fbfaf8", "#fbfaf8"]);
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await colours()).toEqual(["#151412", "#151412"]);
  await page.reload();
  await expect.poll(colours).toEqual(["#151412", "#151412"]);
});

test("a finger can hit all of it, and nothing is wider than a small screen", { tag: "@phone" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await open(page, "login");
  await showHidden(page);
  await page.getByRole("button", { name: /Asked a subagent to read the logs/ }).click();
  await page.getByRole("button", { name: /Asked a subagent to count/ }).click();
  await expect(page.getByText("Count the slow lines by query.")).toBeVisible();
  for (const id of ["login", "rewound", "nom", "cards", "forked", "cleared"]) {
    await page.goto(`/#/runs/${id}`);
    await page.waitForTimeout(300);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, .menu-check")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => `${one.className} ${one.textContent}`),
    );
    expect({ id, small }).toEqual({ id, small: [] });
    const wide = await page.evaluate(() => [...document.querySelectorAll(".stream, .sub-thread, .sub-row")].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className));
    expect({ id, wide }).toEqual({ id, wide: [] });
  }
});

test("axe finds nothing beside the main line", async ({ page }) => {
  test.setTimeout(120_000);
  const check = (what: string) => noFaults(page, what);
  await open(page, "rewound");
  await page.getByRole("button", { name: /on a branch that was left/ }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("checkbox").check();
  await check("menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^hidden <system-reminder>/ }).click();
  await check("left and hidden");
  await page.goto("/#/runs/forked");
  await show(page).click();
  await page.getByRole("alert").waitFor();
  await check("failed epoch");
  await page.goto("/#/runs/cleared");
  await check("cleared");
  await show(page).click();
  await log(page).getByText("Count the lines.").waitFor();
  await check("earlier epoch");
  await page.goto("/#/runs/login");
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole("button", { name: /Asked a subagent to read the logs/ }).click();
  await page.getByRole("button", { name: /Asked a subagent to count/ }).click();
  await check("subagent");
  await page.goto("/#/runs/cards");
  await page.getByRole("button", { name: /Broken record/ }).click();
  await page.getByRole("alert").waitFor();
  await check("unreadable subagent");
});
