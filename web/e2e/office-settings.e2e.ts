import { type Browser, type Page, expect, strangersPage, test } from "./test";
import { type Merchant, newMerchant } from "./merchant";
import { openOffice } from "./office";
import { hearsNews } from "./player";
import { officeUrl, siteUrl } from "./site";

const dialog = (page: Page) => page.getByRole("dialog");
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true });

/** Opens the settings of a merchant on one of their tabs. */
async function openSettings(page: Page, { code }: Merchant, tabId = ""): Promise<void> {
  await page.goto(`${officeUrl}/settings?merchant=${code}${tabId && `&tab=${tabId}`}`);
  await expect(page.getByRole("combobox", { name: "Merchant" })).toHaveValue(code);
}

/** A player's page in a browser of its own, once it hears of what changes. */
async function openPlayer(browser: Browser, url: string): Promise<Page> {
  const page = await strangersPage(browser);
  const live = hearsNews(page);
  await page.goto(url);
  await live;
  return page;
}

async function giveReason(page: Page, reason: string, action: string): Promise<void> {
  await dialog(page).getByLabel("Reason").fill(reason);
  await dialog(page).getByRole("button", { name: action }).click();
  await expect(dialog(page)).toHaveCount(0);
}

async function turn(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("switch", { name, exact: true }).click();
  await giveReason(page, "the test wants to see", action);
}

test("a switch that is turned changes the open site, and its undo changes it back", async ({
  page,
  browser,
}) => {
  const merchant = await newMerchant(page);
  await openSettings(page, merchant, "switches");
  const player = await openPlayer(browser, `${merchant.url}/login`);
  const ways = player.getByRole("dialog").getByRole("tab");
  await expect(ways).toHaveText(["By username", "By mobile number"]);

  const phone = page.getByRole("switch", { name: "Log-in by mobile number" });
  await expect(phone).toBeChecked();
  await phone.click();
  await dialog(page).getByRole("button", { name: "Turn it off" }).click();
  await expect(dialog(page).getByLabel("Reason")).toHaveAccessibleDescription(/Say why/);
  await giveReason(page, "the gateway is down", "Turn it off");
  await expect(phone).not.toBeChecked();
  await expect(page.getByText("Saved. It is live on every node.")).toBeVisible();
  await expect(ways).toHaveCount(0);
  await expect(player.getByRole("dialog").getByLabel("Username")).toBeVisible();

  // The last way in is not closed without a word.
  await page.getByRole("switch", { name: "Log-in by username" }).click();
  await expect(dialog(page)).toContainText("It is the last way in");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await turn(page, "Register button", "Turn it off");
  await expect(player.getByRole("dialog").getByText("No account yet?")).toHaveCount(0);
  await player.keyboard.press("Escape");
  await expect(player.getByRole("banner").getByRole("button", { name: "Join" })).toHaveCount(0);

  await tab(page, "History").click();
  await page.getByRole("row", { name: "the gateway is down" }).getByRole("button").click();
  const changed = dialog(page).getByRole("listitem").filter({ hasText: "Changed" });
  await expect(changed).toContainText("On: Yes → No");
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await giveReason(page, "it is up again", "Undo");
  await expect(page.getByRole("row", { name: "it is up again" })).toContainText("Taken back");
  await player.goto(`${merchant.url}/login`);
  await expect(ways).toHaveText(["By username", "By mobile number"]);
  await player.context().close();
});

test("the site goes into maintenance and comes back without a reload", async ({
  page,
  browser,
}) => {
  const merchant = await newMerchant(page);
  await openSettings(page, merchant);
  const player = await openPlayer(browser, merchant.url);
  await player.evaluate(() => Reflect.set(globalThis, "sameDocument", true));
  await expect(page.getByRole("status").getByText("Open", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Close the site" }).click();
  await expect(dialog(page)).toContainText("Everybody is shut out at once");
  await giveReason(page, "a new version", "Close the site");
  await expect(player.getByRole("heading", { level: 1 })).toHaveText("Under maintenance");
  await expect(player.getByRole("banner").getByRole("button", { name: "Join" })).toHaveCount(0);

  await page.getByRole("button", { name: "Open the site" }).click();
  await giveReason(page, "all is well", "Open the site");
  await expect(player.getByRole("button", { name: "Join" }).first()).toBeVisible();
  expect(await player.evaluate(() => Reflect.get(globalThis, "sameDocument"))).toBe(true);
  await player.context().close();
});

test("a register rule changes the form that somebody is filling in", async ({ page, browser }) => {
  const merchant = await newMerchant(page);
  await openSettings(page, merchant, "registration");
  const player = await openPlayer(browser, `${merchant.url}/register`);
  const form = player.getByRole("dialog");
  await form.getByLabel("Username", { exact: true }).fill("maria");
  await expect(form.getByLabel("LINE")).toHaveCount(0);

  await page.getByRole("button", { name: "Username", exact: true }).click();
  await dialog(page).getByLabel("The form has this field").uncheck();
  await dialog(page).getByLabel("Reason").fill("to see");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByText("needs this field")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /LINE/ }).click();
  await dialog(page).getByLabel("The form has this field").check();
  await dialog(page).getByLabel("It must be filled in").check();
  await dialog(page).getByLabel("Fewest characters").fill("9");
  await dialog(page).getByLabel("Most characters").fill("5");
  await dialog(page).getByLabel("Reason").fill("we answer there");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByLabel("Most characters")).toHaveAccessibleDescription(
    /cannot be less/,
  );
  await dialog(page).getByLabel("Most characters").fill("20");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(form.getByLabel("LINE")).toBeVisible();
  await expect(form.getByLabel("LINE")).toHaveAttribute("aria-required", "true");
  await expect(form.getByLabel("Username", { exact: true })).toHaveValue("maria");
  await player.context().close();
});

test("two who saw the same: the second is told and sees how it is", async ({ page, browser }) => {
  const merchant = await newMerchant(page);
  await openSettings(page, merchant, "switches");
  const other = await strangersPage(browser);
  await openOffice(other, "admin");
  await openSettings(other, merchant, "switches");
  await page.getByRole("switch", { name: "Password expiry" }).click();
  await turn(other, "Password expiry", "Turn it on");
  await dialog(page).getByLabel("Reason").fill("me, too");
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Somebody has changed this");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("switch", { name: "Password expiry" })).toBeChecked();
  await other.context().close();
});

test("brand, policies, hosts and merchants are changed by their forms", async ({
  page,
  browser,
}) => {
  const merchant = await newMerchant(page);
  await openSettings(page, merchant, "brand");
  const form = page.getByRole("form", { name: "Brand" });
  await form.getByLabel("Customer service").fill("http://help.example");
  await form.getByRole("button", { name: "Add a link" }).click();
  await form.getByLabel("What the link says").fill("Our channel");
  await form.getByLabel("Its own name").fill("house");
  await form.getByLabel("Address (https)").fill("https://t.example/house");
  await form.getByLabel("Reason").fill("people look for us");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByLabel("Customer service")).toHaveAccessibleDescription(/https:\/\//);
  await form.getByLabel("Customer service").fill("https://help.example/chat");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const player = await openPlayer(browser, merchant.url);
  const footer = player.getByRole("contentinfo");
  await expect(footer.getByRole("link", { name: "Our channel" })).toHaveAttribute(
    "href",
    "https://t.example/house",
  );
  await expect(footer.getByRole("link", { name: "Customer service" })).toBeVisible();
  await player.context().close();

  await tab(page, "Policies").click();
  await page.getByRole("button", { name: "Add a country" }).click();
  await dialog(page).getByLabel("Country").selectOption("Germany");
  await dialog(page).getByLabel("Minimum age").fill("17");
  await dialog(page).getByLabel("Reason").fill("the law there");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByLabel("Minimum age")).toHaveAccessibleDescription(/18 to 99/);
  await dialog(page).getByLabel("Minimum age").fill("18");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /Germany/ })).toContainText("18");
  await page.getByRole("button", { name: "Germany" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await giveReason(page, "nobody comes from there", "Remove");
  await expect(page.getByRole("row", { name: /Germany/ })).toHaveCount(0);

  await tab(page, "Merchants and hosts").click();
  const host = `${merchant.code}.localhost`;
  await page.getByRole("button", { name: `Remove the host ${host}` }).click();
  await dialog(page).getByLabel("Reason").fill("to see");
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("This host stays");
  await page.keyboard.press("Escape");
  const adds = page.getByRole("form", { name: "Add the host" });
  await adds.getByLabel("New host").fill("127.0.0.1");
  await adds.getByLabel("Reason").fill("a second door");
  await adds.getByRole("button", { name: "Add the host" }).click();
  await expect(adds.getByRole("alert")).toContainText("another merchant");
  await adds.getByLabel("New host").fill(`www.${host}`);
  await adds.getByRole("button", { name: "Add the host" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: `www.${host}` })).toBeVisible();
  const own = page.getByRole("form", { name: "Merchant" });
  await own.getByLabel("Welcome credit").fill("1e9");
  await own.getByLabel("Reason").fill("a gift");
  await own.getByRole("button", { name: "Save" }).click();
  await expect(own.getByLabel("Welcome credit")).toHaveAccessibleDescription(/0 to 1,000,000/);
  await own.getByLabel("Welcome credit").fill("250");
  await own.getByRole("button", { name: "Save" }).click();
  await expect(own.getByLabel("Reason")).toHaveValue("");
  await expect(own.getByLabel("Welcome credit")).toHaveValue("250");
});

test("a merchant is founded by its form and opens at once", async ({ page, browser }) => {
  const code = `f${Date.now().toString(36)}`;
  await openOffice(page, "admin", "/settings?tab=merchants");
  await page.getByRole("button", { name: "Found a merchant" }).click();
  await dialog(page).getByRole("button", { name: "Found a merchant" }).click();
  await expect(dialog(page).getByLabel("Code")).toHaveAccessibleDescription(/small letters/);
  await dialog(page).getByLabel("Name", { exact: true }).fill("Second House");
  await dialog(page).getByLabel("Code").fill(code);
  await dialog(page).getByLabel("Hosts").fill(`${code}.localhost`);
  await giveReason(page, "a second brand", "Found a merchant");
  await expect(page).toHaveURL(new RegExp(`merchant=${code}`));
  await expect(page.getByRole("form", { name: "Merchant" }).getByLabel("Name")).toHaveValue(
    "Second House",
  );
  const url = new URL(siteUrl);
  url.hostname = `${code}.localhost`;
  const player = await strangersPage(browser);
  // A node looks at the table of hosts once a second.
  await expect(async () => {
    await player.goto(url.origin);
    await expect(player).toHaveTitle(/Second House/, { timeout: 5000 });
  }).toPass();
  await player.context().close();
});

test("an auditor reads the settings and changes none", async ({ page }) => {
  await openOffice(page, "auditor", "/settings?tab=switches");
  await expect(page.getByText("You may look at the settings, not change them.")).toBeVisible();
  await expect(page.getByText("COMM3")).toBeVisible();
  await expect(page.getByRole("switch")).toHaveCount(0);
  await page.getByLabel("Find a switch").fill("recovery3");
  await expect(page).toHaveURL(/text=recovery3/);
  await expect(page.getByText("UNIFORMRECOVERY3")).toBeVisible();
  await expect(page.getByText("COMM3", { exact: true })).toHaveCount(0);
  await tab(page, "Site and maintenance").click();
  await expect(page.getByRole("button", { name: "Close the site" })).toHaveCount(0);
  await tab(page, "Registration").click();
  await expect(page.getByRole("table").getByRole("button")).toHaveCount(0);
  await tab(page, "Brand").click();
  await expect(page.getByLabel("Customer service")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
});

for (const lang of ["EN", "TY"]) {
  test(`nothing of the settings is cut off at 320 px in ${lang}`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem("lang", chosen), lang);
    await page.setViewportSize({ width: 320, height: 720 });
    await openOffice(page, "admin");
    for (const id of ["site", "switches", "registration", "policies", "brand", "merchants"]) {
      await page.goto(`${officeUrl}/settings?tab=${id}`);
      await expect(page.locator("main :is(section, table)").first()).toBeVisible();
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overhang, id).toBeLessThanOrEqual(0);
    }
  });
}
