/** The page against the mock server: what a person does, and what an audit says. */
import { expect, gapToEnd, link, log, message, noFaults, open, send, test } from "./page.ts";

test("the token leaves the address bar, the run in it stays", async ({ page }) => {
  await page.goto("/#token=mock-token&run=bank");
  await expect(page.getByRole("heading", { name: "Import bank statements", level: 1 })).toBeVisible();
  expect(page.url()).toContain("#/runs/bank");
  expect(page.url()).not.toContain("token");
});

test("the list groups runs by urgency and filters them", async ({ page }) => {
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Waiting for you");
  await expect(page.getByRole("link", { name: /Try it out/ })).toContainText("Demo");
  await page.getByRole("searchbox", { name: "Find a run" }).fill("nom8");
  await expect(page.locator(".run")).toHaveCount(1);
});

test("a reply is sent, waits in sight, and is recorded", { tag: "@both" }, async ({ page }) => {
  await open(page, "demo");
  await send(page, "hello there");
  await expect(page.locator(".bubble.pending", { hasText: "hello there" })).toBeVisible();
  await expect(message(page)).toHaveValue("");
  await expect(page.locator(".bubble.pending")).toHaveCount(0);
  await expect(page.locator(".turn.you", { hasText: "hello there" }).locator(".ticks.recorded")).toBeVisible();
  await expect(log(page).getByText("You said: hello there")).toBeVisible();
  await expect(page.locator(".turn.you", { hasText: "hello there" })).toHaveCount(1);
});

test("an answer streams, grows, stays at the end, and is replaced by the record", async ({ page }) => {
  await open(page, "demo");
  await send(page, "stream a long answer");
  const growing = page.locator(".growing");
  await expect(growing).toContainText("The login is slow");
  const early = (await growing.textContent())?.length ?? 0;
  await expect.poll(async () => (await growing.textContent().catch(() => ""))?.length ?? 0).toBeGreaterThan(early + 50);
  await expect(growing).toHaveCount(0);
  await expect(log(page).getByText("for how partial indexes are chosen")).toBeVisible();
  expect(await gapToEnd(page)).toBeLessThan(4);
  await expect(page.getByRole("heading", { name: "What happens" })).toHaveCount(1);
});

test("a reload shows the same", async ({ page }) => {
  await open(page, "demo");
  await send(page, "safe tool");
  await expect(log(page).getByText("The tool has run.")).toBeVisible();
  await message(page).fill("a draft");
  const before = await log(page).locator(".row").allInnerTexts();
  await page.reload();
  await expect(log(page).getByText("The tool has run.")).toBeVisible();
  await expect.poll(() => log(page).locator(".row").allInnerTexts()).toEqual(before);
  await expect(message(page)).toHaveValue("a draft");
});

test("a reply that is held, and one that failed, survive a reload with their text", async ({ page }) => {
  await open(page, "demo");
  await send(page, "hold this one");
  const held = page.getByRole("region", { name: "1 reply held" });
  await expect(held).toContainText("Somebody's draft stands in the terminal.");
  await expect(page.locator(".bubble", { hasText: "hold this one" })).toHaveCount(0);
  await send(page, "fail to send");
  await expect(page.getByRole("alert")).toContainText("did not show this message");
  await page.reload();
  await expect(held).toContainText("hold this one");
  await page.getByRole("button", { name: "Put back into the composer" }).click();
  await expect(message(page)).toHaveValue("fail to send");
});

test("a refused reply keeps the text and says why", async ({ page }) => {
  await open(page, "demo");
  await send(page, "refuse this");
  await expect(page.getByRole("alert")).toContainText("longer than the agent takes");
  await expect(message(page)).toHaveValue("refuse this");
});

test("a question is there to read, with the way to the terminal", async ({ page }) => {
  await open(page, "readonly");
  const card = page.getByRole("group", { name: "Two things about the import" });
  await expect(card).toContainText("Which lines should be marked for review?");
  await expect(card).toContainText("tmux -L seamux attach -t readonly");
  await expect(page.getByRole("article")).not.toHaveCount(0);
});

test("a lost connection is said, comes back by itself, and brings what was missed", async ({ page, request, context }) => {
  await open(page, "demo");
  await expect(log(page)).toBeVisible();
  await context.setOffline(true);
  await request.get("/mock/drop");
  await expect(page.getByText("Connection lost. The run goes on.")).toBeVisible();
  const cookie = { headers: { cookie: "seamux=mock-token" }, data: { text: "from elsewhere", client_id: "abcd" } };
  await request.post("/api/v1/runs/demo/reply", cookie);
  await context.setOffline(false);
  await expect(log(page).getByText("You said: from elsewhere")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("Connection lost. The run goes on.")).toHaveCount(0);
  await expect(page.locator(".bubble", { hasText: "from elsewhere" })).toHaveCount(1);
});

test("resync reads everything again", async ({ page, request }) => {
  await open(page, "demo");
  await expect(log(page)).toBeVisible();
  const again = page.waitForRequest(/runs\/demo\/messages/);
  await request.get("/mock/resync");
  await again;
  await expect(log(page).getByText("This is a demo.")).toBeVisible();
});

test("a long conversation opens at its end, and older pages come without a jump", async ({ page }) => {
  await open(page, "long");
  await expect(log(page).getByText("Part 599 reads")).toBeVisible();
  expect(await gapToEnd(page)).toBeLessThan(4);
  expect(await page.locator(".row").count()).toBeLessThan(60);
  // Up in steps, to where the next page is asked for.
  for (let i = 0; i < 40; i += 1) {
    if ((await log(page).evaluate((element) => element.scrollTop)) < 600) break;
    await log(page).evaluate((element) => element.scrollBy(0, -500));
    await page.waitForTimeout(30);
  }
  const heights = () => log(page).evaluate((element) => element.scrollHeight);
  const before = await heights();
  const anchor = await page.evaluate(() => {
    const top = document.querySelector(".stream")?.getBoundingClientRect().top ?? 0;
    const row = [...document.querySelectorAll(".row")].find((one) => one.getBoundingClientRect().top > top + 40 && /Part|Question/.test(one.textContent ?? ""));
    return { text: row?.textContent?.slice(0, 24) ?? "", y: row?.getBoundingClientRect().top ?? 0 };
  });
  await log(page).evaluate((element) => element.scrollBy(0, -1));
  await expect.poll(heights).toBeGreaterThan(before + 500);
  await page.waitForTimeout(300);
  const y = await page.evaluate((text) => [...document.querySelectorAll(".row")].find((one) => one.textContent?.startsWith(text))?.getBoundingClientRect().top, anchor.text);
  expect(Math.abs((y ?? Number.NaN) - anchor.y)).toBeLessThan(6);
  await page.getByRole("button", { name: "Newest" }).click();
  await expect(log(page).getByText("Part 599 reads")).toBeVisible();
});

test("a new run: the server's word at its field, then the run opens", async ({ page }) => {
  await page.goto(link);
  await page.getByRole("link", { name: "New run" }).click();
  await page.getByLabel("Folder").fill("/missing");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByText("There is no such folder on this machine.")).toBeVisible();
  await page.getByLabel("Folder").fill("/home/me/work/here");
  await page.getByLabel("First message").fill("Begin here");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page.getByRole("heading", { name: "Begin here", level: 1 })).toBeVisible();
  await expect(page.getByText("Waiting for the agent to start its record.")).toBeVisible();
});

test("stop asks once more, and then the run has ended", { tag: "@both" }, async ({ page }, { project }) => {
  await open(page, "nom");
  if (project.name === "phone") await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop the run" }).click();
  await expect(page.getByText("This run has ended (exit 0).")).toBeVisible();
});

test("attach shows the command", { tag: "@phone" }, async ({ page }, { project }) => {
  await open(page, "nom");
  if (project.name === "phone") await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Attach" }).click();
  await expect(page.getByText("tmux -L seamux attach -t nom")).toBeVisible();
});

test("without a session it asks for the token, refuses a wrong one, takes the right one", async ({ page }) => {
  await page.goto("/#/runs/bank");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("This token is not the one of this server.");
  await page.getByLabel("Token").fill("mock-token");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Import bank statements", level: 1 })).toBeVisible();
  await expect(log(page)).toContainText("Which column is the date of a booking?");
});

test("nothing is wider than a 320 px screen", { tag: "@phone" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(link);
  await page.getByRole("link", { name: /Import bank statements/ }).waitFor();
  for (const route of ["#/", "#/new", "#/runs/bank", "#/runs/release", "#/runs/plan", "#/runs/layout", "#/runs/readonly", "#/runs/login", "#/runs/nom", "#/runs/long", "#/runs/lost"]) {
    await page.goto(`/${route}`);
    await page.waitForTimeout(250);
    const wide = await page.evaluate(() => {
      const scrolls = (element: Element | null): boolean => element !== null && (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one.parentElement?.closest("pre, .table, .diff, .stream, .vh, .side-list") ?? null))
        .map((one) => `${one.tagName}.${one.className}`);
    });
    expect({ route, wide }).toEqual({ route, wide: [] });
    const inner = await page.evaluate(() => [...document.querySelectorAll(".stream, .side-list, .page-body")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className));
    expect({ route, inner }).toEqual({ route, inner: [] });
  }
});

test("a finger can hit what is there to be hit", { tag: "@phone" }, async ({ page }) => {
  await page.goto(link);
  await page.getByRole("link", { name: /Import bank statements/ }).waitFor();
  for (const route of ["#/", "#/new", "#/runs/bank", "#/runs/release", "#/runs/plan", "#/runs/layout", "#/runs/login"]) {
    await page.goto(`/${route}`);
    await page.waitForTimeout(250);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, a.btn, a.run, input:not([type=radio]):not([type=checkbox]), select, .choice, .find")]
        .filter((one) => one.checkVisibility() && !one.closest(".find > *") && one.getBoundingClientRect().height < 43.5)
        .map((one) => `${one.tagName}.${one.className} ${one.getBoundingClientRect().height}`),
    );
    expect({ route, small: small.filter((one) => !one.startsWith("INPUT. ")) }).toEqual({ route, small: [] });
  }
});

test("axe finds nothing in any state of a run", async ({ page }) => {
  test.setTimeout(120_000);
  for (const id of ["bank", "login", "nom", "fresh", "lost", "dark"]) {
    await open(page, id);
    await noFaults(page, id);
  }
  await open(page, "demo");
  await send(page, "fail to send");
  await expect(page.getByRole("alert")).toBeVisible();
  await noFaults(page, "failed reply");
});

// Here a phone has other parts than a desk.
test("axe finds nothing around a run", { tag: "@both" }, async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/");
  await page.getByLabel("Token").waitFor();
  await noFaults(page, "sign in");
  await page.goto(link);
  await page.reload();
  await page.getByRole("link", { name: /Import bank statements/ }).waitFor();
  await noFaults(page, "list");
  await page.goto("/#/runs/bank");
  await page.locator(".card").last().waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await noFaults(page, "menu");
  if (!(await page.getByRole("button", { name: "Stop" }).isVisible())) await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Stop" }).click();
  await noFaults(page, "stop");
  await page.keyboard.press("Escape");
  await page.goto("/#/new");
  await page.getByRole("button", { name: "Start run" }).waitFor();
  await noFaults(page, "new run");
});
