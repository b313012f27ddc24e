import { type Page, expect, strangersPage, test } from "./test";
import { dialog } from "./forms";
import { accountButton, newPlayer, openAs } from "./player";
import { settled } from "./settled";
import { closeSite } from "./views-shell";

const footer = (page: Page) => page.getByRole("contentinfo");
const rail = (page: Page) => page.getByRole("navigation", { name: "Main menu" }).first();

test("the navigation is in its order, and lists vendors under what has some", async ({ page }) => {
  await page.goto("/fairness");
  await settled(page);
  await expect(rail(page).getByRole("link")).toHaveText([
    "Home",
    "Hot",
    "Games",
    "Bingo",
    "Promos",
    "Fairness",
    "Verify",
  ]);
  await rail(page).getByRole("link", { name: "Games" }).hover();
  await expect(rail(page).getByRole("link", { name: /Capiz Studio/ })).toBeVisible();
  await rail(page).getByRole("link", { name: "Promos" }).hover();
  await expect(rail(page).getByRole("link", { name: /Capiz Studio/ })).toHaveCount(0);
  await rail(page).getByRole("link", { name: "Hot" }).focus();
  await expect(rail(page).getByRole("link", { name: /Capiz Studio/ })).toBeVisible();
  await rail(page).getByRole("link", { name: "Bingo" }).focus();
  await expect(rail(page).getByRole("link", { name: /Capiz Studio/ })).toHaveCount(0);
});

test("a member invites by a link, and whoever follows it registers with it", async ({
  page,
  browser,
}) => {
  await page.goto("/fairness");
  await rail(page).getByRole("button", { name: "Invite" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Log in" })).toBeVisible();
  await openAs(page, await newPlayer(page), "/fairness");
  await rail(page).getByRole("button", { name: "Invite" }).click();
  await expect(dialog(page).getByRole("img", { name: "QR code of your invitation" })).toBeVisible();
  const link = await dialog(page)
    .getByText(/\/register\?referralCode=[A-Z0-9]{8}$/)
    .innerText();
  const code = new URL(link).searchParams.get("referralCode");
  const guest = await strangersPage(browser);
  await guest.goto(link);
  await expect(dialog(guest).getByLabel("Confirm the password")).toBeVisible();
  expect(await guest.evaluate(() => sessionStorage.getItem("referralCode"))).toBe(code);
  await guest.context().close();
});

test("the footer has help, times, products, marks and vendors", async ({ page }) => {
  await page.goto("/fairness");
  await expect(footer(page).getByText("18+")).toBeVisible();
  await expect(footer(page).getByRole("heading", { name: "Average Time" })).toBeVisible();
  await expect(footer(page).locator("dd")).toHaveText(["3Min", "5Min"]);
  for (const bar of await footer(page).locator("rect.fill-accent").all()) {
    const width = Number(await bar.getAttribute("width"));
    expect(width).toBeGreaterThanOrEqual(180);
    expect(width).toBeLessThanOrEqual(194);
  }
  await expect(footer(page).getByRole("img", { name: "Capiz Studio" })).toBeVisible();
  await expect(footer(page).getByText(/exact return/)).toBeVisible();
  await footer(page).getByRole("button", { name: "Help center" }).click();
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  for (const [name, path] of [
    ["Terms", "/terms"],
    ["Privacy", "/privacy"],
    ["Responsible gaming", "/responsible"],
    ["About us", "/about"],
    ["Get the app", "/down"],
    ["Become an affiliate", "/join"],
  ] as const) {
    await expect(footer(page).getByRole("link", { name, exact: true })).toHaveAttribute(
      "href",
      path,
    );
  }
});

test("without a place of its own, customer service is a message to the house", async ({ page }) => {
  await page.goto("/fairness");
  await settled(page);
  await page.getByRole("banner").getByRole("button", { name: "Customer service" }).click();
  await expect(dialog(page).locator("textarea")).toBeVisible();
});

test("the app is one scan away", async ({ page }) => {
  await page.goto("/fairness");
  await page.getByRole("button", { name: "The app" }).click();
  const code = page.getByRole("img", { name: "QR code of the download page" });
  await expect(code).toBeVisible();
  expect(await code.boundingBox()).toMatchObject({ width: 80, height: 80 });
  await page.getByRole("link", { name: "All ways to install it" }).click();
  await expect(page).toHaveURL("/down");
});

test("a member finds money, records and the way out; no agent center", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/fairness");
  const header = page.getByRole("banner");
  const balance = header.getByRole("button", { name: /Balance/ });
  await expect(balance).toBeVisible();
  const asked = page.waitForRequest("**/wps/v2/wallets/balance");
  await balance.click();
  await asked;
  await header.getByRole("button", { name: "Deposit" }).click();
  await expect(dialog(page).getByRole("heading")).toHaveText("Deposits are not open yet");
  await page.keyboard.press("Escape");
  await header.getByRole("button", { name: "Withdraw" }).click();
  await expect(dialog(page).getByRole("heading")).toHaveText("Withdrawals are not open yet");
  await page.keyboard.press("Escape");
  await accountButton(page).click();
  const menu = page.locator("#account-menu");
  await expect(menu.getByRole("link")).toHaveText([
    "My account",
    "Betting record",
    "Account record",
  ]);
  await menu.getByRole("link", { name: "Betting record" }).click();
  await expect(page).toHaveURL("/verify");
});

test("a game page hides the header's balance", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/play/dice");
  await expect(page.getByRole("banner").getByRole("button", { name: "Deposit" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: /Balance/ })).toHaveCount(0);
});

test("a demo account is told to register before money", async ({ page }) => {
  await page.goto("/login");
  await dialog(page)
    .getByRole("button", { name: /demo|free/i })
    .click();
  await expect(accountButton(page)).toBeVisible();
  await page.getByRole("banner").getByRole("button", { name: "Deposit" }).click();
  await expect(dialog(page)).toContainText("Please Register An Account First");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the drawer has everything that the bars have no room for", async ({ page }) => {
    await page.goto("/fairness");
    await settled(page);
    await page.getByRole("button", { name: "Menu" }).click();
    const drawer = dialog(page);
    await expect(drawer.getByRole("button", { name: "Customer service" })).toBeVisible();
    await expect(drawer.getByRole("link", { name: "The app" })).toBeVisible();
    await drawer.getByRole("link", { name: "Promos" }).click();
    await expect(page).toHaveURL("/promotions");
    await expect(dialog(page)).toHaveCount(0);
  });
});

test("a closed region is told so, with the visitor's address and a way to write", async ({
  page,
}) => {
  await closeSite(page, 2);
  await page.goto("/fairness");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Access restricted");
  await expect(page.getByText("The site is not available in your region.")).toBeVisible();
  await expect(page.locator("main .figures")).toHaveText(/^[0-9a-f.:]+$/);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.getByRole("button", { name: "Customer service" }).click();
  await expect(dialog(page).locator("textarea")).toBeVisible();
});

test("a site under maintenance says so and offers customer service", async ({ page }) => {
  await closeSite(page, 1);
  await page.goto("/fairness");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Under maintenance");
  await expect(page.getByRole("button", { name: "Customer service" })).toBeVisible();
  await page.getByLabel("Language").selectOption("TY");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kasalukuyang inaayos");
});
