/** Dialogs against the mock server: each kind, several at once, answered elsewhere, races, and a reload in the middle. */
import { button, expect, log, message, noFaults, open as openRun, type Page, test } from "./page.ts";

const card = (page: Page, name: string | RegExp) => page.locator(".card").and(page.getByRole("group", { name }));
const option = (page: Page, name: RegExp) => page.getByRole("radio", { name });
const own = (page: Page) => page.getByRole("textbox", { name: "Your own words" });

async function open(page: Page, id: string) {
  await openRun(page, id);
  await page.locator(".card").last().waitFor();
}

/** What the page sends to the answer route from now on. */
function answers(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/answer")) sent.push(request.postDataJSON());
  });
  return sent;
}

test("a question: chosen, handed over, recorded with who and what", { tag: "@both" }, async ({ page }) => {
  await open(page, "colour");
  const sent = answers(page);
  await expect(card(page, "Which colour?")).toContainText("also open in the terminal");
  await expect(button(page, "Send answer")).toHaveAttribute("aria-disabled", "true");
  await option(page, /Blue/).click();
  await button(page, "Send answer").click();
  await expect(card(page, "Which colour?")).toContainText("Handed over");
  await expect(card(page, "Which colour?")).toContainText("Answered by you");
  await expect(card(page, "Which colour?")).toContainText("Blue");
  await expect(log(page).getByText("Thank you. I go on.")).toBeVisible();
  expect(sent).toEqual([{ dialog_id: "call-colour", answers: [{ selected: [1] }], client_id: expect.any(String) }]);
  // The same after a reload: the receipt and what was chosen find each other again.
  await page.reload();
  await expect(card(page, "Which colour?")).toContainText("Answered by you");
});

test("several questions with the keyboard alone", async ({ page }) => {
  await open(page, "bank");
  const sent = answers(page);
  await page.locator("body").press("d");
  await expect(card(page, "Two things about the import")).toBeFocused();
  await page.keyboard.press("2");
  await expect(option(page, /Value date/)).toBeChecked();
  await expect(page.getByText("Still to answer: Categories")).toBeVisible();
  await button(page, "Next").press("Enter");
  await page.getByRole("checkbox", { name: /No category/ }).press("Space");
  await page.keyboard.press("3");
  await own(page).fill("and those above 1,000");
  await own(page).press("Control+Enter");
  await expect(card(page, "Two things about the import")).toContainText("Answered by you");
  expect(sent).toMatchObject([{ answers: [{ selected: [1] }, { selected: [0, 2], other_text: "and those above 1,000" }] }]);
  // The card keeps the focus that its form had.
  await expect(card(page, "Two things about the import")).toBeFocused();
});

test("a double press is one answer, and a slow one says that it is being sent", async ({ page, request }) => {
  await open(page, "colour");
  const sent = answers(page);
  await request.get("/mock/answer-slow");
  await option(page, /Red/).click();
  await button(page, "Send answer").dblclick();
  await expect(button(page, "Sending")).toHaveAttribute("aria-disabled", "true");
  await expect(card(page, "Which colour?")).toContainText("Answered by you");
  expect(sent).toHaveLength(1);
});

test("previews stand side by side on a desk and one below the other on a phone", { tag: "@both" }, async ({ page }, { project }) => {
  await open(page, "layout");
  const [one, two] = await page.locator(".opt pre").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  if (project.name === "phone") expect(two?.top).toBeGreaterThan(one?.bottom ?? 0);
  else expect(two?.left).toBeGreaterThan(one?.right ?? 0);
  const second = page.getByRole("group", { name: "Preview of Row" });
  expect(await second.evaluate((each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).fontFamily.includes("Mono"))).toBe(true);
});

test("a plan is there to its last word, and keeps planning with what should change", async ({ page }) => {
  await open(page, "longplan");
  await expect(card(page, "Plan").getByText("The plan ends here.")).toBeAttached();
  await expect(card(page, "Plan").locator("header").first()).toBeInViewport();
  const sent = answers(page);
  await open(page, "plan");
  await page.getByRole("textbox", { name: "What should change?" }).fill("Keep the dialog");
  await button(page, /^Keep planning/).click();
  await expect(card(page, "Plan")).toContainText("Declined by you");
  await expect(card(page, "Plan")).toContainText("Keep planning: Keep the dialog");
  expect(sent).toMatchObject([{ answers: [{ selected: [2], other_text: "Keep the dialog" }] }]);
});

test("a plan is approved with one press", { tag: "@phone" }, async ({ page }) => {
  await open(page, "plan");
  await button(page, /^Approve, ask before edits/).click();
  await expect(card(page, "Plan")).toContainText("Answered by you");
  await expect(card(page, "Plan")).toContainText("Approve, ask before edits");
  await expect(card(page, "Plan")).toContainText("What stays");
});

test("a permission is given, and then the call shows what came of it", async ({ page }) => {
  await open(page, "release");
  await button(page, "Allow once").click();
  await expect(card(page, /git push/)).toContainText("Handed over");
  await expect(log(page).getByRole("button", { name: /Done: Ran git push/ })).toBeVisible();
  await expect(card(page, /git push/)).toHaveCount(0);
});

test("a permission is denied with words, which go with nothing else", { tag: "@phone" }, async ({ page }) => {
  await open(page, "release");
  const sent = answers(page);
  await page.getByRole("textbox", { name: "What to do instead" }).fill("make a draft");
  await expect(page.getByText("Goes along with “Deny” only.")).toBeVisible();
  await button(page, /^Deny/).click();
  await expect(log(page).getByRole("button", { name: /Failed: Ran git push/ })).toBeVisible();
  expect(sent).toMatchObject([{ answers: [{ selected: [2], other_text: "make a draft" }] }]);
});

test("several wait at once: all are shown and counted, and each is answered by itself", { tag: "@both" }, async ({ page }, { project }) => {
  await open(page, "parallel");
  await expect(page.locator(".pill.question")).toHaveText("3 dialogs open");
  if (project.name === "desk") await expect(page.getByRole("link", { name: /Three things at once/ })).toContainText("3 dialogs open");
  await log(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
  // What is out of sight is one press away.
  await page.getByRole("button", { name: /^Go to the question/ }).click();
  await expect(card(page, "Which colour?")).toBeFocused();
  await expect(card(page, "Which colour?").locator("header")).toBeInViewport();
  await card(page, /Run make clean/).getByRole("button", { name: "Allow once" }).click();
  await expect(page.locator(".pill.question")).toHaveText("2 dialogs open");
  await option(page, /Green/).click();
  await button(page, "Send answer").click();
  await expect(card(page, "Which colour?")).toContainText("Answered by you");
  await card(page, /Edit src/).getByRole("button", { name: /^Deny/ }).click();
  await expect(page.locator(".pill.question")).toHaveCount(0);
});

test("answered in the terminal meanwhile: the outcome is shown, and words are not lost", async ({ page, request }) => {
  await open(page, "colour");
  await own(page).fill("something like teal");
  await request.get("/mock/terminal-colour");
  await expect(card(page, "Which colour?")).toContainText("Answered in the terminal");
  await expect(card(page, "Which colour?")).toContainText("Blue");
  await button(page, "Put into the composer").click();
  await expect(message(page)).toHaveValue("something like teal");
  await expect(button(page, "Put into the composer")).toHaveCount(0);
});

test("a permission that was given elsewhere says so and keeps the words", async ({ page, request }) => {
  await open(page, "release");
  await page.getByRole("textbox", { name: "What to do instead" }).fill("make a draft");
  await request.get("/mock/answer-none");
  await button(page, /^Deny/).click();
  await expect(card(page, /git push/)).toContainText("This was answered elsewhere. Your answer was not sent.");
  await button(page, "Put into the composer").click();
  await expect(message(page)).toHaveValue("make a draft");
  await expect(card(page, /git push/)).toHaveCount(0);
});

test("another dialog is open by now: it takes the place, says so, and has what was typed", async ({ page, request }) => {
  await open(page, "layout");
  await own(page).fill("a grid of four");
  await request.get("/mock/answer-changed");
  await button(page, "Send answer").click();
  const next = card(page, "Run rm -r build");
  await expect(next).toContainText("Another question was open by then");
  await expect(next).toContainText("a grid of four");
  await next.getByRole("button", { name: "Put into the composer" }).click();
  await expect(message(page)).toHaveValue("a grid of four");
  await next.getByRole("button", { name: "Allow once" }).click();
  await expect(log(page).getByRole("button", { name: /Done: Ran rm -r build/ })).toBeVisible();
});

test("the same question under another id keeps the choices", async ({ page, request }) => {
  await open(page, "colour");
  await option(page, /Green/).click();
  await request.get("/mock/answer-moved");
  await button(page, "Send answer").click();
  await expect(page.getByText("The agent asked again.")).toBeVisible();
  await expect(option(page, /Green/)).toBeChecked();
  await button(page, "Send answer").click();
  await expect(log(page).getByText("Thank you. I go on.")).toBeVisible();
});

test("a half-made answer survives a reload, events and a lost connection", async ({ page, request }) => {
  await open(page, "bank");
  await option(page, /Value date/).click();
  await page.getByRole("tab", { name: "Categories" }).click();
  await page.getByRole("checkbox", { name: /Two categories/ }).click();
  await own(page).fill("and the empty ones");
  await request.get("/mock/ask-bank");
  await expect(card(page, "Run make test")).toBeAttached();
  await request.get("/mock/drop");
  await request.get("/mock/resync");
  await page.reload();
  await page.getByRole("tab", { name: "answered: Categories" }).click();
  await expect(page.getByRole("checkbox", { name: /Two categories/ })).toBeChecked();
  await expect(own(page)).toHaveValue("and the empty ones");
  await page.getByRole("tab", { name: "answered: Date column" }).click();
  await expect(option(page, /Value date/)).toBeChecked();
});

test("what the record does not confirm is loud", async ({ page, request }) => {
  await open(page, "colour");
  await option(page, /Blue/).click();
  await request.get("/mock/answer-fail");
  await button(page, "Send answer").click();
  await expect(card(page, "Which colour?").getByRole("alert")).toHaveText("Answered here: Blue. Recorded by the CLI: Red.");
});

test("a refused answer keeps the choices and says why; the next try is the same answer", async ({ page, request }) => {
  await open(page, "colour");
  const sent = answers(page);
  await option(page, /Blue/).click();
  await request.get("/mock/answer-refuse");
  await button(page, "Send answer").click();
  await expect(page.getByRole("alert")).toContainText("Question 1 has no option 7");
  await expect(option(page, /Blue/)).toBeChecked();
  await button(page, "Send answer").click();
  await expect(card(page, "Which colour?")).toContainText("Answered by you");
  const [first, second] = sent as { client_id: string }[];
  expect(first?.client_id).toBe(second?.client_id);
});

test("a dialog that opens takes no focus from someone who types, and is announced", async ({ page, request }) => {
  await openRun(page, "demo");
  await message(page).fill("I am still writ");
  await request.get("/mock/ask-demo");
  await expect(card(page, "Run make test")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "asks: Run make test" })).toHaveCount(1);
  await page.keyboard.type("ing and the d key writes");
  await expect(message(page)).toHaveValue("I am still writing and the d key writes");
});

test("a card folds to one line, and the conversation around it can be read", async ({ page }) => {
  await open(page, "plan");
  await card(page, "Plan").getByRole("button", { name: "Plan", exact: true }).click();
  await expect(card(page, "Plan")).toContainText("Move the settings to their own page");
  expect((await card(page, "Plan").boundingBox())?.height).toBeLessThan(60);
});

test("fingers reach the buttons of every kind", { tag: "@phone" }, async ({ page }) => {
  for (const id of ["colour", "bank", "layout", "release", "plan", "parallel"]) {
    await open(page, id);
    const small = await page.locator(".card").evaluateAll((cards) =>
      cards.flatMap((one) => [...one.querySelectorAll("button:not(.small), label, textarea")].filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => `${each.className} ${each.textContent}`)),
    );
    expect({ id, small }).toEqual({ id, small: [] });
  }
});

test("axe finds nothing in a dialog that waits", async ({ page }) => {
  test.setTimeout(120_000);
  const check = (what: string) => noFaults(page, what);
  for (const id of ["longplan", "parallel", "readonly", "plan", "layout", "release"]) {
    await open(page, id);
    await check(id);
  }
});

test("axe finds nothing in what becomes of an answer", async ({ page, request }) => {
  test.setTimeout(120_000);
  const check = (what: string) => noFaults(page, what);
  await open(page, "release");
  await page.getByRole("textbox", { name: "What to do instead" }).fill("make a draft");
  await check("words");
  await request.get("/mock/answer-none");
  await button(page, /^Deny/).click();
  await button(page, "Put into the composer").waitFor();
  await check("elsewhere");
  await open(page, "layout");
  await own(page).fill("a grid");
  await request.get("/mock/answer-changed");
  await button(page, "Send answer").click();
  await page.getByText("Another question was open").waitFor();
  await check("changed");
  await open(page, "bank");
  await option(page, /Value date/).click();
  await check("one of two");
  await page.getByRole("tab", { name: "Categories" }).click();
  await page.getByRole("checkbox", { name: /No category/ }).click();
  await check("both");
  await request.get("/mock/answer-slow");
  await button(page, "Send answer").click();
  await check("sending");
  await page.getByText("Answered by you").waitFor();
  await check("recorded");
  await open(page, "colour");
  await option(page, /Blue/).click();
  await request.get("/mock/answer-fail");
  await button(page, "Send answer").click();
  await page.getByRole("alert").waitFor();
  await check("failed");
});

test("no answer yet: the words survive a reload, are handed over, and the card says so", { tag: "@both" }, async ({ page }) => {
  await open(page, "colour");
  const sent = answers(page);
  await button(page, "Chat about this").click();
  const field = page.getByRole("textbox", { name: "What would you like to talk about?" });
  await expect(field).toBeFocused();
  await field.fill("Is blue navy?");
  await page.reload();
  await expect(field).toHaveValue("Is blue navy?");
  await noFaults(page, "the field for a talk");
  await button(page, "Send, without an answer").click();
  await expect(card(page, "Which colour?")).toContainText("Handed over");
  await expect(card(page, "Which colour?")).toContainText("You want to talk about it first");
  await expect(card(page, "Which colour?")).toContainText("Is blue navy?");
  await expect(log(page).getByText("Thank you. I go on.")).toBeVisible();
  expect(sent).toEqual([{ dialog_id: "call-colour", discuss: "Is blue navy?", client_id: expect.any(String) }]);
});

test("answered in the terminal meanwhile: the words for a talk are not lost", async ({ page, request }) => {
  await open(page, "colour");
  await button(page, "Chat about this").click();
  await page.getByRole("textbox", { name: "What would you like to talk about?" }).fill("Why not teal?");
  await request.get("/mock/answer-none");
  await button(page, "Send, without an answer").click();
  await expect(card(page, "Which colour?")).toContainText("This was answered elsewhere.");
  await button(page, "Put into the composer").click();
  await expect(message(page)).toHaveValue("Why not teal?");
});
