/** The queue and the composer's choice, against the mock server: what is held, changed, moved, taken out, sent anyway, and decided. */
import { button, expect, log, message, noFaults, open, send, test, tooSmall, type Page } from "./page.ts";

const queue = (page: Page) => page.getByRole("region", { name: /repl(y|ies) held$/ });
const entry = (page: Page, text: string | RegExp) => queue(page).getByRole("listitem").filter({ hasText: text });
const order = (page: Page) => queue(page).locator(".held-text").allInnerTexts();
const editor = (page: Page) => page.getByRole("textbox", { name: "Held reply" });
const after = (page: Page) => page.getByRole("radio", { name: "After this turn" });
const said = (page: Page, text: string) => log(page).locator(".turn.you", { hasText: text });

/** What the page changes in the queue from now on. */
function changes(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && /\/queue\//.test(request.url())) sent.push(`${request.method()} ${request.url().split("/").at(-1)} ${request.postData() ?? ""}`.trim());
  });
  return sent;
}

test("every held reply is there with its reason and its origin, and is there once", { tag: "@both" }, async ({ page }) => {
  await open(page, "queue");
  await expect(entry(page, "Then run the tests")).toContainText("It is sent when the agent is at rest.");
  await expect(entry(page, "Then run the tests")).toContainText("from another browser");
  await expect(entry(page, "And update the changelog.")).toContainText("from a program");
  await expect(log(page).getByText("And update the changelog.")).toHaveCount(0);
  await expect(entry(page, "/compact").getByRole("button", { name: "Send now" })).toHaveCount(0);
});

test("a held reply is changed in its place, goes out as it was changed, and is recorded once", async ({ page, request }) => {
  await open(page, "nom");
  await after(page).check();
  await send(page, "then tidy up");
  await expect(entry(page, "then tidy up")).toContainText("It is sent when the agent is at rest.");
  await entry(page, "then tidy up").getByRole("button", { name: /^Edit/ }).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type(" and stop");
  await page.keyboard.press("Enter");
  await expect(editor(page)).toHaveCount(0);
  await expect(entry(page, "then tidy up and stop")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Edit the held reply/ })).toBeFocused();
  await request.get("/mock/drain-nom");
  await expect(said(page, "then tidy up and stop").locator(".ticks.recorded")).toBeVisible();
  await expect(said(page, "then tidy up")).toHaveCount(1);
  await expect(queue(page)).toHaveCount(0);
});

test("the order changes by buttons and by keys, and the focus goes along", async ({ page }) => {
  await open(page, "queue");
  const sent = changes(page);
  await entry(page, "And update").getByRole("button", { name: "Move up" }).click();
  await expect.poll(async () => (await order(page))[0]).toBe("And update the changelog.");
  await expect(page.getByRole("status").filter({ hasText: "Moved to place 1 of 3." })).toHaveCount(1);
  await expect(entry(page, "And update").getByRole("button", { name: "Move up" })).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(async () => (await order(page))[1]).toBe("And update the changelog.");
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(async () => (await order(page))[2]).toBe("And update the changelog.");
  await page.keyboard.press("Alt+ArrowDown");
  expect(sent).toEqual(['PATCH q-2 {"before":"q-1"}', 'PATCH q-2 {"before":"q-3"}', 'PATCH q-2 {"before":null}']);
});

test("what is taken out can be taken back, to its place", async ({ page }) => {
  await open(page, "queue");
  await entry(page, "And update").getByRole("button", { name: "Remove" }).click();
  await expect(entry(page, "And update")).toHaveCount(0);
  await expect(page.locator(".bubble", { hasText: "And update" })).toHaveCount(0);
  await expect(button(page, "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await order(page))[1]).toBe("And update the changelog.");
  await expect(button(page, "Undo")).toHaveCount(0);
});

test("over a draft it is sent anyway, on a person's word", { tag: "@both" }, async ({ page }) => {
  await open(page, "drafted");
  const sent = changes(page);
  await expect(entry(page, "in Welsh")).toContainText("Somebody's draft stands in the terminal.");
  await button(page, "Send anyway").click();
  await expect(said(page, "Now say it in Welsh.")).toHaveCount(1);
  await expect(queue(page)).toHaveCount(0);
  expect(sent).toEqual(['PATCH q-4 {"when":"now"}']);
});

test("what waits for a decision stands first and apart, and is sent or removed on a person's word only", async ({ page }) => {
  await open(page, "decide");
  expect(await order(page)).toEqual(["Fix the second bug as well.", "git push, please", "And a third one."]);
  await expect(entry(page, "second bug")).toContainText("Send it in this conversation?");
  await expect(entry(page, "second bug").getByRole("button", { name: "Move up" })).toHaveCount(0);
  await entry(page, "second bug").getByRole("button", { name: "Send here" }).click();
  await expect(said(page, "Fix the second bug as well.")).toHaveCount(1);
  await entry(page, "git push").getByRole("button", { name: "Remove" }).click();
  await expect(button(page, "Undo")).toHaveCount(0);
  await button(page, "Put into the composer").click();
  await expect(message(page)).toHaveValue("git push, please");
  await expect(entry(page, "third one")).toHaveCount(1);
});

test("too late for a change: it was just sent, gently, and what was typed is not lost", async ({ page, request }) => {
  await open(page, "queue");
  await entry(page, "And update").getByRole("button", { name: /^Edit/ }).click();
  await editor(page).fill("And update the manual.");
  await request.get("/mock/late");
  await button(page, "Save").click();
  await expect(page.getByText("It was just sent, without your changes.")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await button(page, "Put into the composer").click();
  await expect(message(page)).toHaveValue("And update the manual.");
});

test("one that goes out while it is edited closes the editor, and keeps the words", async ({ page, request }) => {
  await open(page, "queue");
  await entry(page, "Then run").getByRole("button", { name: /^Edit/ }).click();
  await editor(page).fill("Then run half of the tests");
  await request.get("/mock/leave-queue");
  await expect(editor(page)).toHaveCount(0);
  await expect(page.getByText("Then run half of the tests")).toBeVisible();
  await expect(button(page, "Put into the composer")).toBeVisible();
});

test("a refused change stays in the editor and says why; Escape leaves the reply as it was", async ({ page }) => {
  await open(page, "queue");
  await entry(page, "And update").getByRole("button", { name: /^Edit/ }).click();
  await editor(page).fill("/model");
  await button(page, "Save").click();
  await expect(page.getByRole("alert")).toContainText("This command opens a screen in the terminal.");
  await expect(editor(page)).toHaveValue("/model");
  await page.keyboard.press("Escape");
  await expect(entry(page, "And update the changelog.")).toBeVisible();
});

test("after this turn: by the choice or by its keys, for one reply; at rest there is no choice", async ({ page }) => {
  await open(page, "nom");
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/reply")) sent.push((request.postDataJSON() as { when: string }).when);
  });
  await expect(page.getByRole("radio", { name: "Now" })).toBeChecked();
  await after(page).check();
  await send(page, "one");
  await expect(entry(page, "one")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Now" })).toBeChecked();
  await message(page).fill("two");
  await message(page).press("Control+Shift+Enter");
  await expect(entry(page, "two")).toBeVisible();
  await entry(page, "two").getByRole("button", { name: "Send now" }).click();
  await expect(said(page, "two")).toHaveCount(1);
  expect(sent).toEqual(["after_turn", "after_turn"]);
  await open(page, "login");
  await expect(page.getByRole("radiogroup")).toHaveCount(0);
});

test("a reply that meets a dialog is held, and goes out once that is answered", async ({ page }) => {
  await open(page, "colour");
  await send(page, "and the frame too");
  await expect(entry(page, "and the frame too")).toContainText("A question is open");
  await page.getByRole("radio", { name: /Blue/ }).click();
  await button(page, "Send answer").click();
  await expect(said(page, "and the frame too").locator(".ticks.recorded")).toBeVisible();
  await expect(said(page, "and the frame too")).toHaveCount(1);
});

test("fingers reach all of the queue on the smallest screen, and nothing is wider than it", { tag: "@phone" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const id of ["queue", "drafted", "decide"]) {
    await open(page, id);
    await expect(queue(page)).toBeVisible();
    const wide = () => page.evaluate(() => [...document.querySelectorAll(".compose, .compose *")].filter((one) => !one.closest(".vh") && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.className));
    expect({ id, small: await tooSmall(page, ".compose button, .when label"), wide: await wide() }).toEqual({ id, small: [], wide: [] });
    // There is still some of the conversation to be seen.
    expect((await log(page).boundingBox())?.height).toBeGreaterThan(120);
  }
});

test("axe finds nothing in the queue", async ({ page }) => {
  test.setTimeout(120_000);
  for (const id of ["queue", "drafted", "decide"]) {
    await open(page, id);
    await expect(queue(page)).toBeVisible();
    await noFaults(page, id);
  }
  await entry(page, "third one").getByRole("button", { name: /^Edit/ }).click();
  await noFaults(page, "editing");
  await page.keyboard.press("Escape");
  await entry(page, "git push").getByRole("button", { name: "Remove" }).click();
  await button(page, "Put into the composer").waitFor();
  await noFaults(page, "removed");
});
