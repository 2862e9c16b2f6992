/** Pictures of what stands beside the main line. SHOTS=1 npm run shots */
import { test, type Page } from "./page.ts";

test.skip(!process.env["SHOTS"], "only when pictures are wanted");

async function shot(page: Page, name: string, project: string) {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `e2e/shots/${project}-${name}-${scheme}.png` });
  }
}

test("pictures of threads", { tag: "@both" }, async ({ page, request }, { project }) => {
  await request.get("/mock/reset");
  await page.goto("/#token=mock-token");
  await page.getByText("Import bank statements").waitFor();
  await page.waitForFunction(() => document.fonts.size >= 2 && [...document.fonts].every((font) => font.status === "loaded"));
  const open = async (id: string) => {
    await page.goto(`/#/runs/${id}`);
    await page.locator(".thread, .main .notice").last().waitFor();
    await page.waitForTimeout(500);
  };
  const top = () => page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await open("nom");
  await shot(page, "knot-closed", project.name);
  await page.getByRole("button", { name: "Show the earlier conversation" }).click();
  await page.waitForTimeout(600);
  await shot(page, "knot-open", project.name);
  await top();
  await page.waitForTimeout(120);
  await page.screenshot({ path: `e2e/shots/${project.name}-older.png` });
  await open("cleared");
  await shot(page, "cleared", project.name);
  await open("forked");
  await page.getByRole("button", { name: "Show the earlier conversation" }).click();
  await page.waitForTimeout(500);
  await shot(page, "knot-failed", project.name);

  await open("login");
  await top();
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: /Asked a subagent to read the logs/ }).click();
  await page.getByRole("button", { name: /Asked a subagent to count/ }).click();
  await page.waitForTimeout(700);
  await shot(page, "subagent", project.name);
  await open("notes");
  for (const name of ["Reading incidents 1 to 9", "Reading incidents 10 to 14"]) await page.getByRole("button", { name }).click();
  await page.waitForTimeout(700);
  await shot(page, "subagent-live", project.name);
  await open("cards");
  for (const name of ["Broken record", "Silent one", "Long one"]) await page.getByRole("button", { name }).click();
  await page.waitForTimeout(700);
  await top();
  await shot(page, "subagent-states", project.name);

  await open("rewound");
  await shot(page, "left-closed", project.name);
  await page.getByRole("button", { name: /on a branch that was left/ }).click();
  await page.waitForTimeout(300);
  await shot(page, "left-open", project.name);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("checkbox", { name: /Show hidden records/ }).check();
  await page.waitForTimeout(200);
  await shot(page, "hidden-menu", project.name);
  await page.keyboard.press("Escape");
  await top();
  await page.getByRole("button", { name: /^hidden <system-reminder> The list/ }).click();
  await page.waitForTimeout(200);
  await shot(page, "hidden", project.name);
  await open("tall");
  await shot(page, "tall", project.name);
});
