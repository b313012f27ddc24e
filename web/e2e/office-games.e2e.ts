import { type Browser, type Page, expect, strangersPage, test } from "./test";
import { disturbedGame, undisturbed } from "./alone";
import { axeFindings } from "./inspect";
import { type Colleague, openOffice } from "./office";
import { settled, widths } from "./settled";

/** Somebody's own browser in the office. */
async function browserOf(browser: Browser, who: Colleague, path: string): Promise<Page> {
  const page = await strangersPage(browser);
  await openOffice(page, who, path);
  return page;
}

test("maintenance of a game reaches players, and is lifted again", async ({ browser, page }) => {
  test.slow();
  await undisturbed(disturbedGame, () => maintain(browser, page));
});

async function maintain(browser: Browser, page: Page): Promise<void> {
  const content = await browserOf(browser, "content", "/games");
  const list = async () => {
    await page.goto("/rng?q=scratch");
    await expect(page.locator(".game-card")).toHaveCount(1);
    return page.locator(".game-card");
  };
  const turn = async (reason: string) => {
    await content.getByRole("button", { name: "Scratch card" }).click();
    const dialog = content.getByRole("dialog");
    await dialog.getByLabel("Under maintenance").click();
    await dialog.getByLabel("Reason").first().fill(reason);
    await dialog.getByRole("button", { name: "Change" }).first().click();
    await expect(dialog).toBeHidden();
  };
  await turn("a test looks after it");
  await expect(content.getByRole("row", { name: /Scratch card/ })).toContainText("Maintenance");
  await expect(await list()).toContainText("Maintenance");
  await turn("the test is over");
  await expect(await list()).not.toContainText("Maintenance");
}

test("an auditor looks at the catalogue and changes nothing", async ({ browser }) => {
  const auditor = await browserOf(browser, "auditor", "/games");
  await auditor.getByRole("button", { name: "Keno" }).click();
  await expect(auditor.getByRole("dialog")).toContainText("let you look, not change");
});

for (const width of widths) {
  test(`the catalogue is sound at ${width.width} px`, async ({ browser }) => {
    const content = await browserOf(browser, "content", "/games");
    await content.setViewportSize(width);
    await expect(content.getByRole("row")).toHaveCount(13);
    await settled(content);
    expect(await axeFindings(content)).toEqual([]);
    await content.getByRole("link", { name: "Vendors" }).click();
    await content.getByRole("button", { name: "Capiz Studio" }).click();
    await settled(content);
    expect(await axeFindings(content)).toEqual([]);
  });
}
