/** Pictures of every state, to look at. SHOTS=1 npm run shots */
import { test, type Page } from "./page.ts";

test.skip(!process.env["SHOTS"], "only when pictures are wanted");

const link = "/#token=mock-token";

async function shot(page: Page, name: string, project: string) {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `e2e/shots/${project}-${name}-${scheme}.png` });
  }
}

test("pictures", { tag: "@both" }, async ({ page, request }, { project }) => {
  await request.get("/mock/reset");
  await page.goto(link);
  await page.getByText("Import bank statements").waitFor();
  await page.waitForFunction(() => document.fonts.size >= 2 && [...document.fonts].every((font) => font.status === "loaded"));
  await shot(page, "list", project.name);
  for (const id of ["bank", "release", "login", "nom", "fresh", "quiet", "lost", "dark", "long", "demo"]) {
    await page.goto(`/#/runs/${id}`);
    await page.locator(".thread, .notice").last().waitFor();
    await page.waitForTimeout(500);
    await shot(page, `run-${id}`, project.name);
  }
  await page.goto("/#/runs/login");
  await page.waitForTimeout(500);
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await page.waitForTimeout(300);
  await shot(page, "tools", project.name);

  await page.goto("/#/runs/demo");
  await page.getByRole("textbox", { name: "Message" }).fill("stream a long answer");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForTimeout(120);
  await page.screenshot({ path: `e2e/shots/${project.name}-sent.png` });
  await page.locator(".growing .table").first().waitFor();
  await shot(page, "streaming", project.name);
  await page.locator(".growing").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Message" }).fill("fail to send");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForTimeout(2600);
  await shot(page, "failed", project.name);

  if (project.name === "phone") {
    await page.getByRole("button", { name: "More" }).click();
    await page.screenshot({ path: "e2e/shots/phone-menu.png" });
  }
  await page.getByRole("button", { name: "Stop" }).click();
  await shot(page, "stop", project.name);
  await page.keyboard.press("Escape");
  if (project.name === "phone") await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Attach" }).click();
  await page.waitForTimeout(200);
  await shot(page, "attach", project.name);

  await page.goto("/#/new");
  await page.getByLabel("Folder").fill("work/here");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForTimeout(300);
  await shot(page, "new", project.name);
  await page.context().clearCookies();
  await page.reload();
  await page.getByLabel("Token").waitFor();
  await shot(page, "sign-in", project.name);
});
