/** Pictures of every state of a dialog's card, to look at. SHOTS=1 npm run shots */
import { test, type Page } from "./page.ts";

test.skip(!process.env["SHOTS"], "only when pictures are wanted");

const card = (page: Page) => page.locator(".card").last();

async function shot(page: Page, name: string, project: string) {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(120);
    await page.screenshot({ path: `e2e/shots/${project}-dialog-${name}-${scheme}.png` });
  }
}

test("pictures of dialogs", { tag: "@both" }, async ({ page, request }, { project }) => {
  test.setTimeout(180_000);
  const take = (name: string) => shot(page, name, project.name);
  const open = async (id: string) => {
    await page.goto(`/#/runs/${id}`);
    await card(page).waitFor();
    await page.waitForTimeout(500);
  };
  const how = (name: string) => request.get(`/mock/${name}`);
  await how("reset");
  await page.goto("/#token=mock-token");
  await page.getByText("Import bank statements").waitFor();
  for (const id of ["colour", "layout", "release", "plan", "longplan", "parallel", "readonly", "bank"]) {
    await open(id);
    await take(id);
  }
  await page.getByRole("radio", { name: /Value date/ }).click();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("checkbox", { name: /No category/ }).check();
  await page.getByRole("checkbox", { name: /Two categories/ }).check();
  await page.getByRole("textbox", { name: "Your own words" }).fill("and those above 1,000");
  await page.waitForTimeout(300);
  await take("half");
  await how("answer-slow");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.waitForTimeout(200);
  await page.screenshot({ path: `e2e/shots/${project.name}-dialog-sending.png` });
  await page.getByText("Handed over").waitFor();
  await page.screenshot({ path: `e2e/shots/${project.name}-dialog-sent.png` });
  await page.getByText("Answered by you").waitFor();
  await page.waitForTimeout(500);
  await take("recorded");

  await open("colour");
  await page.getByRole("radio", { name: /Blue/ }).click();
  await how("answer-fail");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Recorded by the CLI").waitFor();
  await page.waitForTimeout(300);
  await take("failed");

  await open("layout");
  await page.getByRole("textbox", { name: "Your own words" }).fill("a grid");
  await how("answer-changed");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Another question was open").waitFor();
  await page.waitForTimeout(400);
  await take("changed");

  await open("release");
  await page.getByRole("textbox", { name: "What to do instead" }).fill("make it a draft first");
  await take("denying");
  await how("answer-none");
  await page.getByRole("button", { name: /Deny/ }).click();
  await page.getByText("answered elsewhere").waitFor();
  await page.waitForTimeout(300);
  await take("elsewhere");

  await open("parallel");
  await how("terminal-parallel");
  await page.getByText("Answered in the terminal").waitFor();
  await page.waitForTimeout(400);
  await take("terminal");
  await open("plan");
  await page.getByRole("textbox", { name: "What should change?" }).fill("Keep the dialog for a while");
  await page.getByRole("button", { name: /Keep planning/ }).click();
  await page.getByText("Declined by you").waitFor();
  await page.waitForTimeout(400);
  await take("declined");
  await open("longplan");
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await page.waitForTimeout(400);
  await card(page).getByRole("button", { name: /Plan/ }).first().click();
  await take("folded");
});
