import { type Browser, type Page, expect, strangersPage, test } from "./test";
import { axeFindings } from "./inspect";
import { type Colleague, openOffice } from "./office";
import { newPlayer, valueOf } from "./player";
import { settled, widths } from "./settled";

const dialog = (page: Page) => page.getByRole("dialog");

/** Somebody's own browser in the office. */
async function browserOf(browser: Browser, who: Colleague, path: string): Promise<Page> {
  const page = await strangersPage(browser);
  await openOffice(page, who, path);
  return page;
}

/** A member, and what they put to the house. */
async function put(page: Page, path: string, data: object) {
  const player = await newPlayer(page);
  const { request } = page.context();
  const headers = { Authorization: `Bearer ${player.token}` };
  await valueOf(await request.put(path, { headers, data }));
  return { player, read: async () => valueOf(await request.get(path, { headers })) };
}

const feedback = (content: string) => ({ questionType: "GAME", content, contact: null });

test("feedback comes by itself, is answered, and is closed", async ({ page, browser }) => {
  const support = await browserOf(browser, "support", "/feedback");
  const content = `The reels stand still. ${Date.now()}`;
  const { player, read } = await put(page, "/wps/feedback", feedback(content));
  const row = support.getByRole("row", { name: content });
  await expect(row).toContainText(player.name);
  await row.getByRole("link").click();
  await dialog(support).getByRole("button", { name: "Answer", exact: true }).click();
  await expect(dialog(support).getByLabel("Answer")).toHaveAccessibleDescription(/1 to 2,000/);
  await dialog(support).getByLabel("Answer").fill("They spin again. Thank you.");
  await dialog(support).getByRole("button", { name: "Answer", exact: true }).click();
  await expect(dialog(support)).toHaveCount(0);
  await expect(row).toHaveCount(0);
  expect(JSON.stringify(await read())).toContain("They spin again. Thank you.");

  await support.getByRole("combobox", { name: "State" }).selectOption("ANSWERED");
  await row.getByRole("link").click();
  await expect(dialog(support)).toContainText("They spin again.");
  await dialog(support).getByRole("button", { name: "Close it" }).click();
  await dialog(support).getByLabel("Reason").fill("all is said");
  await dialog(support).getByRole("button", { name: "Close it" }).click();
  await expect(dialog(support)).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await support.context().close();
});

test("the desk and the menu say how much waits", async ({ page, browser }) => {
  await put(page, "/wps/feedback", feedback("A question that nobody has answered yet."));
  const support = await browserOf(browser, "support", "/");
  await expect(support.getByRole("link", { name: /waits for an answer: \d/ })).toBeVisible();
  const menu = support.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: /Feedback \d+\+? to answer/ })).toBeVisible();
  await support.context().close();
});

test("an application is decided by an administrator, once", async ({ page, browser }) => {
  const name = `Aling Nena ${Date.now()}`;
  const { read } = await put(page, "/wps/agent/affiliate", {
    name,
    contactKind: "TELEGRAM",
    contact: "@nena",
    audience: "Two thousand people who like bingo",
    message: "We meet every Sunday.",
    affiliateCode: null,
    referralCode: null,
  });
  const support = await browserOf(browser, "support", "/affiliates");
  await support.getByRole("link", { name }).click();
  await expect(dialog(support)).toContainText("let you read this, not decide");
  await support.context().close();

  const admin = await browserOf(browser, "admin", "/affiliates");
  await admin.getByRole("link", { name }).click();
  await dialog(admin).getByRole("button", { name: "Accept" }).click();
  await dialog(admin).getByLabel("Answer").fill("Welcome aboard.");
  await dialog(admin).getByRole("button", { name: "Accept" }).click();
  await expect(dialog(admin)).toHaveCount(0);
  await expect(admin.getByRole("link", { name })).toHaveCount(0);
  expect(JSON.stringify(await read())).toContain("ACCEPTED");
  await admin.context().close();
});

for (const width of widths) {
  test(`the inbox is sound at ${width.width} px`, async ({ page }) => {
    await put(page, "/wps/feedback", feedback("Something to look at, at any width."));
    await page.setViewportSize(width);
    await openOffice(page, "support", "/feedback?status=all");
    await page.locator("tbody .row-link").first().waitFor();
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator("tbody .row-link").first().click();
    await expect(dialog(page)).toBeVisible();
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
  });
}
