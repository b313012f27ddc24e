import { type Browser, type Page, expect, strangersPage, test } from "./test";
import { newNumber, newPlayerByNumber, test as behindTest } from "./behind";
import { openOffice, openPalette } from "./office";
import { type Player, hearsNews, newPlayer, openAs, password } from "./player";
import { officeUrl } from "./site";

const dialog = (page: Page) => page.getByRole("dialog");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const table = (page: Page, name: string) => page.getByRole("table", { name });

/** A player in a browser of its own. */
async function playerElsewhere(browser: Browser): Promise<{ page: Page; player: Player }> {
  const page = await strangersPage(browser);
  return { page, player: await newPlayer(page) };
}

/** Finds a member by whatever is typed and opens its page. */
async function openMember(page: Page, text: string, name: string): Promise<void> {
  await page.getByLabel("Find a member").fill(text);
  // The rows of before stay until the new ones are there.
  await expect(table(page, "Members").getByRole("rowheader")).toHaveText([name]);
  await table(page, "Members").getByRole("link", { name, exact: true }).click();
  await expect(heading(page)).toHaveText(name);
}

/** Does one of the deeds of the head, with a reason. */
async function doDeed(page: Page, name: string, reason: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await dialog(page).getByRole("button", { name, exact: true }).click();
  await expect(dialog(page).getByLabel("Reason")).toHaveAccessibleDescription(/Say why/);
  await dialog(page).getByLabel("Reason").fill(reason);
  await dialog(page).getByRole("button", { name, exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
}

behindTest(
  "a member is found by the phone number, however it is written",
  async ({ page, browser }) => {
    const site = await strangersPage(browser);
    const number = newNumber();
    const player = await newPlayerByNumber(site, number);
    const digits = number.e164.slice("+63".length);
    const [first, second, third] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
    await openOffice(page, "support", "/members");
    const written = [
      number.e164,
      `0${digits}`,
      `0${first} ${second} ${third}`,
      `+63 (${first}) ${second}-${third}`,
      `63${digits}`,
      digits,
    ];
    for (const text of written) {
      await page.getByLabel("Find a member").fill("");
      await expect(page.getByRole("button", { name: "Clear the filter" })).toHaveCount(0);
      await page.getByLabel("Find a member").fill(text);
      await expect(table(page, "Members").getByRole("rowheader")).toHaveText([player.name]);
    }
    await page.getByLabel("Find a member").fill("0999 000 00 00");
    await expect(page.getByText("Nobody fits.")).toBeVisible();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("columnheader", { name: "Registered" }).getByRole("button").click();
    await expect(page).toHaveURL(/order=registered/);
    await expect(table(page, "Members").getByRole("rowheader").first()).toHaveText("maria");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByLabel("Nickname").check();
    await expect(page.getByRole("columnheader", { name: "Nickname" })).toBeVisible();
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    expect((await waiting).suggestedFilename()).toBe("members.csv");
  },
);

test("a cent is followed from the balance to the round and back", async ({ page, browser }) => {
  const { player } = await playerElsewhere(browser);
  const round = await player.win("12.34");
  await player.rotateSeed("bagong-salita");
  const { balance } = await player.balance();

  await openOffice(page, "cashier", "/members");
  await openMember(page, player.name, player.name);
  await page.getByRole("link", { name: "Wallet" }).click();
  const shown = Number(balance).toLocaleString("en-PH", { minimumFractionDigits: 2 });
  await expect(page.locator("dl").getByText(shown)).toBeVisible();
  await table(page, "Account record")
    .getByRole("link", { name: "Payout of a game" })
    .first()
    .click();
  await expect(page).toHaveURL(/tab=wallet&transfer=\d+/);
  const panel = dialog(page);
  await expect(panel.getByRole("row", { name: /^To Balance/ })).toContainText(shown);
  await expect(panel.getByText(/server and this browser have both computed it/)).toBeVisible();
  await panel.getByRole("link", { name: /Together with transfer \d+: Stake in a game/ }).click();
  await expect(panel).toContainText("₱12.34");
  await expect(panel.getByRole("row", { name: /^From Balance/ })).toBeVisible();
  await panel.getByRole("link", { name: "To the round" }).click();

  await expect(page).toHaveURL(`${officeUrl}/rounds/${round.id}`);
  await expect(heading(page)).toHaveText("Round of Dice");
  await expect(
    page.getByText(/computed the round again: commitment, every event and payout are right/),
  ).toBeVisible();
  const moved = page.getByRole("region", { name: "The money that moved" });
  await expect(moved.getByRole("listitem")).toHaveCount(2);
  await moved.getByRole("link", { name: /Payout of a game/ }).click();
  await expect(panel.getByRole("heading", { level: 2 })).toContainText("Transfer");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.getByLabel("At least").fill("1,000");
  await expect(page).toHaveURL(/least=1%2C000/);
  await expect(table(page, "Account record").getByRole("rowheader")).toHaveCount(1);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save as CSV" }).click();
  expect((await waiting).suggestedFilename()).toBe("transfers.csv");
});

test("a freeze shuts the player's open page, and the account until it is opened again", async ({
  page,
  browser,
}) => {
  const { page: site, player } = await playerElsewhere(browser);
  const live = hearsNews(site);
  await openAs(site, player, "/");
  await live;
  await openOffice(page, "support", "/members");
  await openMember(page, player.name, player.name);
  await expect(page.getByRole("button", { name: "Close for good" })).toHaveCount(0);
  await doDeed(page, "Freeze", "a stolen phone");
  await expect(page.getByText("The account is frozen.")).toBeVisible();
  await expect(page.locator("main header")).toContainText("a stolen phone");

  await expect(
    site.getByText("This account is frozen. Please contact customer service."),
  ).toBeVisible();
  await site.locator("dialog input[name=username]").fill(player.name);
  await site.locator("dialog input[name=password]").fill(password);
  await site.getByRole("dialog").locator("form [type=submit]").click();
  await expect(site.getByRole("dialog").getByRole("alert")).toHaveText(/This account is frozen/);

  await doDeed(page, "Open again", "the phone came back");
  await expect(page.getByRole("button", { name: "Freeze", exact: true })).toBeVisible();
  await site.getByRole("dialog").locator("form [type=submit]").click();
  await expect(site.locator("[popovertarget=account-menu]")).toBeVisible();
});

test("a password that staff ask for is chosen by the player", async ({ page, browser }) => {
  const { page: site, player } = await playerElsewhere(browser);
  await openOffice(page, "support", "/members");
  await openMember(page, player.name, player.name);
  await page.getByRole("link", { name: "Sessions" }).click();
  await expect(table(page, "Where the member is logged in").getByRole("row")).toHaveCount(2);
  await doDeed(page, "Ask for a new password", "seen on a list");
  await expect(page.locator("main header")).toContainText("another has to be chosen");
  await expect(page.getByText("Nowhere at the moment.")).toBeVisible();

  await site.goto("/login");
  await site.locator("dialog input[name=username]").fill(player.name);
  await site.locator("dialog input[name=password]").fill(password);
  await site.locator("dialog form [type=submit]").click();
  await expect(site.getByRole("dialog").getByRole("heading")).toHaveText(/password/i);
  await site
    .getByRole("dialog")
    .getByLabel("New password", { exact: true })
    .fill("mas-mahabang-salita-9");
  await site
    .getByRole("dialog")
    .getByLabel(/Confirm/)
    .fill("mas-mahabang-salita-9");
  await site.getByRole("dialog").locator("form [type=submit]").click();
  await expect(site.getByRole("dialog")).toHaveCount(0);
  await expect(site.locator("[popovertarget=account-menu]")).toBeVisible();
  await page.reload();
  await expect(page.locator("main header")).not.toContainText("another has to be chosen");
});

test("an account with money is not closed, and a correction waits for somebody else", async ({
  page,
  browser,
}) => {
  const { player } = await playerElsewhere(browser);
  await openOffice(page, "admin", "/members");
  await openMember(page, player.name, player.name);
  await page.getByRole("button", { name: "Close for good" }).click();
  await dialog(page).getByLabel("Reason").fill("the player asks for it");
  await dialog(page).getByRole("button", { name: "Close for good" }).click();
  await expect(dialog(page).getByRole("alert")).toHaveText(/still money/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Ask for a correction" }).click();
  await dialog(page)
    .getByLabel(/Amount in PHP/)
    .fill("nothing");
  await dialog(page).getByLabel("Reason").fill("a cent was lost");
  await dialog(page).getByRole("button", { name: "Ask for a correction" }).click();
  await expect(dialog(page).getByLabel(/Amount in PHP/)).toHaveAccessibleDescription(/above zero/);
  await dialog(page)
    .getByLabel(/Amount in PHP/)
    .fill("0.01");
  await dialog(page).getByRole("button", { name: "Ask for a correction" }).click();
  await expect(page.getByText("Asked for. Somebody else has to agree.")).toBeVisible();
  expect((await player.balance()).balance).toBe("1000");
});

test("the palette jumps to members and rounds by the keyboard alone", async ({ page, browser }) => {
  const { player } = await playerElsewhere(browser);
  const round = await player.rollDice("10", 5000);
  await openOffice(page, "support");
  await openPalette(page);
  await page.keyboard.type(player.name);
  await expect(dialog(page).getByRole("option")).toHaveText([new RegExp(player.name)]);
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText(player.name);
  await openPalette(page);
  await dialog(page).getByRole("combobox").fill(round.id);
  await expect(dialog(page).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Round of Dice");
  await page.goBack();
  await expect(heading(page)).toHaveText(player.name);
});

test("whoever's roles do not name members sees none", async ({ page }) => {
  await openOffice(page, "content", "/members");
  await expect(heading(page)).toHaveText("Your roles do not allow this.");
  await page.goto(`${officeUrl}/members/0197c000-0000-7000-8000-000000000000`);
  await expect(heading(page)).toHaveText("Your roles do not allow this.");
});
