import { type Page, expect, test } from "./test";
import { bytesOf, digitsOf, stepMs } from "./authenticator";
import { addPerson, choosePassword, dialog, heading, logInAs } from "./colleagues";
import { axeFindings } from "./inspect";
import { fillLogin, keyOf, officePassword, openOffice, openPalette } from "./office";
import { preferTheme } from "./settled";
import { officeUrl } from "./site";

const menu = (page: Page) => page.getByRole("navigation", { name: "Main menu" });

test.describe("with a storage that is empty", () => {
  // What keeps announcements away would stand there.
  test.use({ announces: true });

  test("whoever is not logged in logs in at the address that was asked for", async ({ page }) => {
    const answer = await page.goto(`${officeUrl}/trail?action=staff.login`);
    expect(answer?.status()).toBe(200);
    await expect(heading(page)).toHaveText("Staff log-in");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByLabel("Code from your authenticator")).toHaveAccessibleDescription(
      /empty/,
    );
    await fillLogin(page, "cashier", officePassword, "000000");
    await expect(page.getByRole("alert")).toHaveText("Username, password or code is not correct.");
    // Another test may have used this code: the next one comes within half a minute.
    await expect(async () => {
      await fillLogin(page, "cashier", officePassword, digitsOf(keyOf("cashier"), Date.now()));
      await expect(heading(page)).not.toHaveText("Staff log-in", { timeout: 10_000 });
    }).toPass({ intervals: [stepMs] });

    // A cashier's roles do not open the trail: the address is kept, the page says why, and the menu has no way there.
    await expect(heading(page)).toHaveText("Your roles do not allow this.");
    await expect(page).toHaveURL(`${officeUrl}/trail?action=staff.login`);
    await expect(page.getByRole("banner")).toContainText("Carlo Santos");
    await expect(page.getByRole("banner")).toContainText("Cashier");
    await expect(menu(page).getByRole("link", { name: "Audit trail" })).toHaveCount(0);
    await menu(page).getByRole("link", { name: "My desk" }).click();
    await expect(heading(page)).toHaveText("My desk");
    await expect(page.getByRole("region", { name: "Where you are logged in" })).toContainText(
      "This one",
    );
    expect(await page.evaluate(() => [document.cookie, sessionStorage.length])).toEqual(["", 0]);

    await page.getByRole("button", { name: "Log out" }).click();
    await expect(heading(page)).toHaveText("Staff log-in");
    await page.reload();
    await expect(heading(page)).toHaveText("Staff log-in");
  });
});

test("an address that the office does not have is a 404 in its shell", async ({ page }) => {
  await openOffice(page, "admin");
  const answer = await page.goto(`${officeUrl}/no-such-page`);
  expect(answer?.status()).toBe(404);
  await expect(heading(page)).toHaveText("There is nothing at this address.");
  await page.getByRole("link", { name: "To my desk" }).click();
  await expect(heading(page)).toHaveText("My desk");
});

test("somebody new: added, logged in twice, one session ended, a new password", async ({
  page,
  browser,
}) => {
  await openOffice(page, "admin", "/staff");
  await page.getByRole("button", { name: "Add a person" }).click();
  await dialog(page).getByRole("button", { name: "Add a person" }).click();
  await expect(dialog(page).getByLabel("Username")).toHaveAccessibleDescription(/empty/);
  await expect(dialog(page).getByLabel("Reason")).toHaveAccessibleDescription(/Say why/);
  await page.keyboard.press("Escape");
  const person = await addPerson(page, "Elena Dalisay", "Support");

  const first = await logInAs(browser, person, -1);
  await expect(first.getByText("This is the first one")).toBeVisible();
  const second = await logInAs(browser, person, 0);
  await second.getByRole("button", { name: "End it" }).click();
  await dialog(second).getByRole("button", { name: "End it" }).click();
  await expect(second.getByText("The session is ended.")).toBeVisible();
  await expect(second.getByRole("button", { name: "End it" })).toHaveCount(0);
  // What has to be done first comes first, and is why nothing else is allowed.
  const panels = second.getByRole("main").getByRole("region");
  await expect(panels.first()).toHaveAccessibleName("Change the password");
  await expect(second.getByText("until you have chosen a password")).toBeVisible();
  await expect(second.getByText("Your roles allow nothing")).toHaveCount(0);

  await first.reload();
  await expect(heading(first)).toHaveText("Staff log-in");

  await second.getByLabel("Current password").fill("not-my-password-at-all");
  await second.getByLabel("New password", { exact: true }).fill("short");
  await second.getByLabel("New password once more").fill("short");
  await second.getByLabel("Code from your authenticator").fill("000000");
  const change = second.getByRole("button", { name: "Change the password" });
  await change.click();
  await expect(second.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(
    /at least 12/,
  );
  await second.getByLabel("New password", { exact: true }).fill("mas-mahabang-salita-9");
  await second.getByLabel("New password once more").fill("mas-mahabang-salita-9");
  await change.click();
  // Which of both was wrong is not told.
  const code = second.getByLabel("Code from your authenticator");
  await expect(second.getByRole("alert")).toHaveText(/^Password or code is not correct/);
  await expect(code).toBeFocused();
  await second.getByLabel("Current password").fill(person.password);
  await code.fill(digitsOf(person.key, Date.now() + stepMs));
  await change.click();
  await expect(second.getByText("Your password is changed.")).toBeVisible();
  await expect(second.getByText("Your roles allow nothing")).toHaveCount(0);
  await expect(heading(second)).toBeFocused();
});

test("a session that ends leads to the log-in and back to where one was", async ({
  page,
  browser,
}) => {
  await openOffice(page, "admin", "/staff");
  const added = await addPerson(page, "Isagani Ocampo", "Auditor");
  const theirs = await logInAs(browser, added, -1);
  await expect(menu(theirs).getByRole("link", { name: "Roles" })).toHaveCount(0);
  const person = await choosePassword(theirs, added, 0);
  await menu(theirs).getByRole("link", { name: "Roles" }).click();
  await expect(heading(theirs)).toHaveText("Roles");
  await theirs.context().clearCookies();
  await menu(theirs).getByRole("link", { name: "Audit trail" }).click();
  await expect(theirs.getByText("Your session is over.")).toBeVisible();
  await expect(theirs).toHaveURL(/\/trail$/);
  const code = digitsOf(person.key, Date.now() + stepMs);
  await fillLogin(theirs, person.username, person.password, code);
  await expect(heading(theirs)).toHaveText("Audit trail");

  // Closing the account ends the session at once.
  await page.getByLabel("Name or username").fill(person.username);
  await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(1);
  await page.getByRole("button", { name: "Isagani Ocampo" }).click();
  await dialog(page).getByLabel("The account is open").uncheck();
  await dialog(page).getByLabel("Reason").fill("the test is over");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Nobody fits.")).toBeVisible();
  await page.getByRole("combobox", { name: "Account" }).selectOption("Closed");
  await expect(page.getByRole("button", { name: "Isagani Ocampo" })).toBeVisible();
  await theirs.reload();
  await expect(heading(theirs)).toHaveText("Staff log-in");
});

test("a changed role takes effect, and the trail has it and is whole", async ({
  page,
  browser,
}) => {
  let reason = "as it is usually";
  const setRight = async (on: boolean) => {
    await page.getByRole("button", { name: "Change: Content" }).click();
    await dialog(page).getByLabel("Read the trail and check it").setChecked(on);
    await dialog(page).getByLabel("Reason").fill(reason);
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await openOffice(page, "admin", "/roles");
  await setRight(false);
  await menu(page).getByRole("link", { name: "People" }).click();
  const person = await addPerson(page, "Ligaya Ramos", "Content");
  const theirs = await logInAs(browser, person, -1);
  await choosePassword(theirs, person, 0);
  const usual = ["My desk", "Games", "Content", "Settings"];
  await expect(menu(theirs).getByRole("link")).toHaveText(usual);

  reason = `shown to ${person.username}`;
  await menu(page).getByRole("link", { name: "Roles" }).click();
  await expect(page.getByRole("button", { name: "Change: Administrator" })).toHaveCount(0);
  await setRight(true);
  await theirs.reload();
  await expect(menu(theirs).getByRole("link")).toHaveText([...usual, "Audit trail"]);
  await menu(theirs).getByRole("link", { name: "Audit trail" }).click();
  await expect(theirs.getByRole("button", { name: "Save as CSV" })).toHaveCount(0);
  await expect(theirs.getByRole("table")).toBeVisible();

  await menu(page).getByRole("link", { name: "Audit trail" }).click();
  await page.getByRole("combobox", { name: "What was done" }).selectOption("Changed a role");
  await page.getByRole("combobox", { name: "Who" }).fill("admin");
  await expect(page).toHaveURL(/\/trail\?action=staff\.role$/);
  await page.getByRole("row", { name: reason }).getByRole("button").click();
  const panel = dialog(page);
  await expect(panel).toContainText("Role: Content");
  await expect(panel).toContainText(reason);
  const added = panel.getByRole("listitem").filter({ hasText: "Read the trail and check it" });
  await expect(added).toContainText("Added");
  await expect(panel.getByRole("link", { name: "Role: Content" })).toHaveAttribute(
    "href",
    "/roles",
  );
  await panel.getByRole("link", { name: "Everything done to this" }).click();
  await expect(page.getByRole("search").getByLabel("To what")).toHaveValue("role:content");
  await expect(page).toHaveURL(/\/trail\?of=role%3Acontent$/);

  await page.getByRole("button", { name: "Check the trail" }).click();
  await expect(page.getByText(/The trail is whole: \d+ rows\./)).toBeVisible();
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  expect((await waiting).suggestedFilename()).toBe("trail.csv");

  await menu(page).getByRole("link", { name: "Roles" }).click();
  await setRight(false);
  // Their open page hears of it by itself.
  await expect(heading(theirs)).toHaveText("Your roles do not allow this.");
});

test("the trail goes on to older rows, and back", async ({ page }) => {
  await openOffice(page, "admin", "/trail?before=3");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Added a person");
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "The latest" }).click();
  await expect(page).toHaveURL(`${officeUrl}/trail`);
  await page.getByRole("combobox", { name: "Who" }).pressSequentially("stranger-nobody-knows");
  await expect(page.getByText("No row fits.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page.getByRole("combobox", { name: "Who" })).toBeFocused();
  await expect(page).toHaveURL(`${officeUrl}/trail`);
  await expect(page.getByText("No row fits.")).toHaveCount(0);
  await page.getByLabel("From").fill("2031-01-01");
  await expect(page.getByText("No row fits.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page.getByText("No row fits.")).toHaveCount(0);
});

/** Expects that somebody's popup has no way to change them: it is closed, or leads to what they did. */
async function expectToLookOnly(page: Page): Promise<void> {
  const buttons = dialog(page).getByRole("button");
  await expect(buttons).toHaveCount(2);
  for (const name of ["What this person did", "Close"]) {
    await expect(dialog(page).getByRole("button", { name })).toBeVisible();
  }
}

test("one's own account is for others to change", async ({ page }) => {
  await openOffice(page, "admin", "/staff");
  await page.getByRole("link", { name: "Amihan Reyes" }).click();
  await expect(dialog(page)).toContainText("somebody else has to do it for you");
  await expect(dialog(page).getByRole("textbox")).toHaveCount(0);
  await expectToLookOnly(page);
});

test("secrets that are shown once do not go by one Escape", async ({ page }) => {
  await openOffice(page, "admin", "/staff");
  const username = `e2e.${Date.now().toString(36)}.once`;
  await page.getByRole("button", { name: "Add a person" }).click();
  const popup = dialog(page).filter({ hasText: "Add a person" });
  await popup.getByLabel("Name", { exact: true }).fill("Rosario Tan");
  await popup.getByLabel("Username").fill("admin");
  await popup.getByLabel("Support").check();
  await popup.getByLabel("Reason").fill("a test needs a hand");
  await popup.getByLabel("Reason").press("Enter");
  await expect(popup.getByLabel("Username")).toBeFocused();
  await expect(popup.getByLabel("Username")).toHaveAccessibleDescription(/is taken/);
  await popup.getByLabel("Username").fill(username);
  await popup.getByLabel("Username").press("Enter");
  const secrets = popup.getByRole("img", { name: /QR code/ });
  await expect(secrets).toBeVisible();
  const question = dialog(page)
    .filter({ has: page.getByText("They are not shown again.") })
    .last();
  for (const key of ["Escape", "Escape", "Escape"]) {
    await page.keyboard.press(key);
    await expect(secrets).toBeAttached();
  }
  await expect(question).toBeVisible();
  for (const theme of ["dark", "light"] as const) {
    await preferTheme(page, theme);
    expect.soft(await axeFindings(page), theme).toEqual([]);
  }
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(popup.getByRole("button", { name: "I have handed it over" })).toBeFocused();
  await popup.getByRole("button", { name: "Close" }).click();
  await question.getByRole("button", { name: "I have handed it over" }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test("new secrets ask for certainty, and shut the old ones out", async ({ page, browser }) => {
  await openOffice(page, "admin", "/staff");
  const person = await addPerson(page, "Tomas Abad", "Support");
  const theirs = await logInAs(browser, person, -1);
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  const reset = dialog(page).getByRole("button", { name: "Reset the secrets" });
  await reset.click();
  const reason = dialog(page).getByLabel("Reason").filter({ visible: true });
  await expect(reason).toBeFocused();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(reset).toBeFocused();
  await reset.click();
  await reason.fill("the phone was lost");
  await dialog(page).getByRole("button", { name: "Reset the secrets" }).click();
  await expect(dialog(page).getByText("Make sure first.")).toBeVisible();
  await dialog(page)
    .getByLabel(/I have made sure/)
    .check();
  await dialog(page).getByRole("button", { name: "Reset the secrets" }).click();
  await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
  const [, password = "", secret = ""] = await dialog(page).locator("code").allTextContents();
  await theirs.reload();
  await expect(heading(theirs)).toHaveText("Staff log-in");
  await logInAs(browser, { ...person, password, key: bytesOf(secret) }, 1);
});

test("an auditor reads everything and changes nothing", async ({ page }) => {
  await openOffice(page, "auditor", "/staff");
  for (const name of ["My desk", "People", "Roles", "Audit trail"]) {
    await expect(menu(page).getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: "Carlo Santos" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a person" })).toHaveCount(0);
  await page.getByRole("link", { name: "Carlo Santos" }).click();
  await expect(dialog(page)).toContainText("Cashier");
  await expectToLookOnly(page);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${officeUrl}/staff`);
  await menu(page).getByRole("link", { name: "Roles" }).click();
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Change/ })).toHaveCount(0);
  await menu(page).getByRole("link", { name: "Audit trail" }).click();
  await expect(page.getByRole("button", { name: "Save as CSV" })).toBeVisible();
});

test("people are put into order, columns are chosen, and both hold", async ({ page }) => {
  await openOffice(page, "auditor", "/staff?role=cashier");
  await expect(page.getByRole("table").getByRole("rowheader")).toHaveText(["Carlo Santos"]);
  await page.getByLabel("Role", { exact: true }).selectOption("Any role");
  await expect(page).toHaveURL(`${officeUrl}/staff`);
  await page.getByRole("columnheader", { name: "Username" }).getByRole("button").click();
  await expect(page).toHaveURL(/order=username/);
  await page.getByRole("columnheader", { name: "Username" }).getByRole("button").click();
  await expect(page).toHaveURL(/order=-username/);
  await expect(page.getByRole("columnheader", { name: "Username" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByLabel("Added").check();
  await page.getByLabel("Last log-in").uncheck();
  await expect(page.getByRole("columnheader", { name: "Last log-in" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Added" })).toBeVisible();
  await expect(page.getByRole("table").locator("tbody tr").nth(1)).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Last log-in" })).toHaveCount(0);
  const names = await page.getByRole("table").locator("tbody td:nth-child(2)").allTextContents();
  expect(names).toEqual(names.toSorted().toReversed());
});

test("the palette jumps to pages and people by the keyboard alone", async ({ page }) => {
  await openOffice(page, "admin");
  const field = dialog(page).getByRole("combobox");
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await openPalette(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Approvals");
  await page.getByRole("button", { name: "Jump to" }).click();
  await field.fill("sampa");
  await expect(dialog(page).getByRole("option")).toHaveText([/Sampaguita Cruz/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/staff\?person=/);
  await expect(dialog(page).getByRole("heading")).toHaveText("Sampaguita Cruz");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
});

test("language and theme hold; on a phone the menu is a drawer", async ({ page }) => {
  await openOffice(page, "auditor");
  await page.getByRole("button", { name: "Tagalog" }).click();
  await expect(heading(page)).toHaveText("Aking mesa");
  await page.getByRole("button", { name: "Lumipat sa maliwanag na tema" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page.locator("html")).toHaveAttribute("lang", "fil");
  await page.getByRole("button", { name: "Menu" }).click();
  await dialog(page).getByRole("link", { name: "Mga tao" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(heading(page)).toHaveText("Mga tao");
  await page.getByRole("button", { name: "Menu" }).click();
  await dialog(page).getByRole("button", { name: "English" }).click();
  await expect(dialog(page).getByRole("heading")).toHaveText("Back office");
  await expect(dialog(page).getByRole("link", { name: "People" })).toBeVisible();
});

for (const lang of ["EN", "TY"]) {
  test(`nothing of the office is cut off at 320 px in ${lang}`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem("lang", chosen), lang);
    await page.setViewportSize({ width: 320, height: 720 });
    await openOffice(page, "admin");
    for (const path of ["/", "/staff", "/roles", "/trail", "/service?tab=jobs"]) {
      await page.goto(officeUrl + path);
      await expect(page.locator("main :is(tbody tr, section li)").first()).toBeVisible();
      // Whatever somebody has called a banner or a file.
      const called = page.locator("td a [data-name]");
      if (path === "/trail") {
        await called.first().evaluate((text) => (text.textContent = "mahabang-pangalan".repeat(4)));
      }
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overhang, path).toBeLessThanOrEqual(0);
    }
  });
}
