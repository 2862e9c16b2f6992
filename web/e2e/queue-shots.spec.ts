/** Pictures of the queue, the composer's choice and the list of what was sent. SHOTS=1 npm run shots */
import { button, open, test, type Page } from "./page.ts";

test.skip(!process.env["SHOTS"], "only when pictures are wanted");

async function shot(page: Page, name: string, project: string) {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `e2e/shots/${project}-${name}-${scheme}.png` });
  }
}

test("pictures of what is sent", { tag: "@both" }, async ({ page, request }, { project }) => {
  test.setTimeout(180_000);
  const take = (name: string) => shot(page, name, project.name);
  await open(page, "queue");
  await page.waitForFunction(() => document.fonts.size >= 2 && [...document.fonts].every((font) => font.status === "loaded"));
  await take("queue");
  await page.getByRole("radio", { name: "After this turn" }).check();
  await page.getByRole("textbox", { name: "Message" }).fill("Then write to the customers.");
  await take("after-turn");
  await page.getByRole("textbox", { name: "Message" }).fill("");
  await page.getByRole("button", { name: /^Edit the held reply: And/ }).click();
  await take("queue-edit");
  await page.keyboard.press("Escape");
  await button(page, "Remove").nth(1).click();
  await button(page, "Undo").waitFor();
  await take("queue-removed");
  await open(page, "queue");
  await request.get("/mock/late");
  await page.getByRole("button", { name: /^Edit the held reply: Then/ }).click();
  await page.getByRole("textbox", { name: "Held reply" }).fill("Then run half of the tests.");
  await button(page, "Save").click();
  await page.getByText("It was just sent, without").waitFor();
  await take("queue-late");
  await open(page, "drafted");
  await take("queue-draft");
  await open(page, "decide");
  await take("queue-decide");
  await open(page, "books");
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await page.waitForTimeout(300);
  await take("books");
  await page.goto("/#/runs/books/audit");
  await page.locator(".audit-words.said").last().waitFor();
  await take("audit");
  await button(page, "More").click();
  await page.waitForTimeout(100);
  await take("audit-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Show in the conversation" }).last().click();
  await page.locator(".row.marked").waitFor();
  await page.waitForTimeout(400);
  await take("marked");
});
