import { utimesSync } from "node:fs";
import { type Locator, type Page, expect, strangersPage } from "./test";
import { digitsOf, stepMs } from "./authenticator";
import { inDatabase, test } from "./behind";
import { addPerson, choosePassword, dialog, heading, logInAs } from "./colleagues";
import { axeFindings } from "./inspect";
import { cookieFile, openOffice } from "./office";
import { askForProof, askForProofHere, holdProof, wantProof } from "./proof";
import { newRequest } from "./requests";
import { preferTheme, widths } from "./settled";
import { officeUrl } from "./site";

/** Lets the ten minutes pass for which somebody is believed to be there. */
async function letPass(username: string): Promise<void> {
  await inDatabase(
    (sql) => sql`
      update staff_sessions set proved_at = proved_at - interval '10 minutes'
      where person_id = (select id from staff_people where username = ${username})`,
  );
}

/** What the page has sent to add people. */
function additions(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const isAddition = request.method() === "POST" && request.url().endsWith("/office/api/staff");
    if (isAddition) sent.push(request.postData() ?? "");
  });
  return sent;
}

test("what is grave asks once more who is there, and is then done by itself", async ({
  page,
  browser,
}) => {
  await openOffice(page, "admin", "/staff");
  const person = await addPerson(page, "Corazon Lim", "Administrator");
  const theirs = await logInAs(browser, person, -1);
  const { password, key } = await choosePassword(theirs, person, 0);
  const sent = additions(theirs);

  // Who has just shown who they are is not asked.
  await theirs.goto(`${officeUrl}/staff`);
  await addPerson(theirs, "Dante Uy", "Support");
  expect(sent).toHaveLength(1);

  await letPass(person.username);
  const username = `e2e.${Date.now().toString(36)}.later`;
  await theirs.getByRole("button", { name: "Add a person" }).click();
  const form = dialog(theirs).filter({ hasText: "Add a person" });
  await form.getByLabel("Name", { exact: true }).fill("Esteban Go");
  await form.getByLabel("Username").fill(username);
  await form.getByLabel("Support").check();
  await form.getByLabel("Reason").fill("one more hand");
  await form.getByLabel("Reason").press("Enter");
  const proof = dialog(theirs).filter({ hasText: "Show that it is you" });
  const field = proof.getByLabel("Password", { exact: true });
  await expect(field).toBeFocused();

  // Whoever gives up finds everything as it was typed, and reads why nothing came of it.
  await theirs.keyboard.press("Escape");
  await expect(proof).toHaveCount(0);
  await expect(form.getByRole("alert")).toHaveText(/^Nothing was done/);
  await expect(form.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Esteban Go");
  await expect(form.getByLabel("Username")).toHaveValue(username);
  await expect(form.getByLabel("Support")).toBeChecked();
  const submit = form.getByRole("button", { name: "Add a person" });
  await form.getByLabel("Reason").press("Enter");
  await expect(field).toBeFocused();

  // By the keyboard alone, first with a password that is wrong.
  await theirs.keyboard.type("not-my-password-at-all");
  await theirs.keyboard.press("Tab");
  await theirs.keyboard.press("Tab");
  const code = proof.getByLabel("Code from your authenticator");
  await expect(code).toBeFocused();
  await theirs.keyboard.type("12345");
  await theirs.keyboard.press("Enter");
  await expect(code).toHaveAccessibleDescription(/six digits/);
  await expect(code).toBeFocused();
  await code.fill("000000");
  await theirs.keyboard.press("Enter");
  await expect(proof.getByRole("alert")).toHaveText(/^Password or code is not correct/);
  await expect(code).toBeFocused();
  expect(await axeFindings(theirs)).toEqual([]);
  await field.fill(password);
  await code.fill(digitsOf(key, Date.now() + stepMs));
  await theirs.keyboard.press("Enter");

  // The very same call was sent once more, by itself.
  await expect(dialog(theirs).getByRole("img", { name: /QR code/ })).toBeVisible();
  await expect(proof).toHaveCount(0);
  await expect(dialog(theirs).locator("code").first()).toHaveText(username);
  expect(sent).toHaveLength(4);
  expect(new Set(sent.slice(1)).size).toBe(1);
  await expect(submit).toHaveCount(0);

  // Neither the session nor the page was lost over it, and now it is a while until the next time.
  await dialog(theirs).getByRole("button", { name: "I have handed it over" }).click();
  await addPerson(theirs, "Fely Co", "Support");
  await expect(heading(theirs)).toHaveText("People");
});

test("a session that ends meanwhile leaves no question behind", async ({ page, browser }) => {
  await openOffice(page, "admin", "/staff");
  const person = await addPerson(page, "Gloria Sy", "Administrator");
  const theirs = await logInAs(browser, person, -1);
  await choosePassword(theirs, person, 0);
  await letPass(person.username);
  await theirs.goto(`${officeUrl}/roles`);
  await theirs
    .getByRole("button", { name: /^Change/ })
    .first()
    .click();
  await dialog(theirs).getByLabel("Reason").fill("nobody will read this");
  await dialog(theirs).getByLabel("Reason").press("Enter");
  const proof = dialog(theirs).filter({ hasText: "Show that it is you" });
  await expect(proof).toBeVisible();
  await inDatabase(
    (sql) => sql`
      delete from staff_sessions
      where person_id = (select id from staff_people where username = ${person.username})`,
  );
  await proof.getByLabel("Password", { exact: true }).fill("whatever it was");
  await proof.getByLabel("Code from your authenticator").fill("000000");
  await proof.getByRole("button", { name: "Go on" }).click();
  await expect(heading(theirs)).toHaveText("Staff log-in");
  await expect(dialog(theirs)).toHaveCount(0);
});

test("whoever goes back is asked nothing on the page that was there before", async ({ page }) => {
  await openOffice(page, "admin", "/staff");
  await page.getByRole("navigation").getByRole("link", { name: "Roles" }).click();
  await expect(heading(page)).toHaveText("Roles");
  await askForProofHere(page, "to leave it");
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(heading(page)).toHaveText("People");
  await expect(dialog(page)).toHaveCount(0);
  await page.goForward();
  await expect(heading(page)).toHaveText("Roles");
  await expect(dialog(page)).toHaveCount(0);
});

test("whoever leaves before the server asks is asked nothing where they are then", async ({
  page,
}) => {
  await openOffice(page, "admin", "/staff");
  await page.getByRole("navigation").getByRole("link", { name: "Roles" }).click();
  const refuse = await holdProof(page, "roles/*");
  await page
    .getByRole("button", { name: /^Change/ })
    .first()
    .click();
  await dialog(page).getByLabel("Reason").fill("to leave it");
  await dialog(page).getByLabel("Reason").press("Enter");
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(heading(page)).toHaveText("People");
  await refuse();
  await page.getByRole("button", { name: "Add a person" }).click();
  await expect(dialog(page)).toHaveCount(1);
  await expect(dialog(page)).toContainText("Add a person");
});

test("whoever opens the office later leaves others of that name their proof", async ({
  page,
  browser,
}) => {
  await openOffice(page, "admin", "/staff");
  // As if the proof were old.
  utimesSync(cookieFile("admin"), 0, 0);
  await openOffice(await strangersPage(browser), "admin");
  await addPerson(page, "Hilda Ong", "Support");
});

/** Sends a form by the key, gives up when it is asked, and finds the form as it was. */
async function giveUp(page: Page, reason: Locator): Promise<void> {
  const typed = await reason.inputValue();
  await reason.press("Enter");
  const proof = dialog(page).filter({ hasText: "Show that it is you" });
  await expect(proof.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(proof).toHaveCount(0);
  await expect(dialog(page).getByRole("alert")).toHaveText(/^Nothing was done/);
  await expect(dialog(page).getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(reason).toHaveValue(typed);
}

test("whoever gives up agreeing finds everything as it was, and agrees after all", async ({
  page,
  browser,
}) => {
  const cashier = await strangersPage(browser);
  await openOffice(cashier, "cashier", "/approvals");
  const { id } = await newRequest(await strangersPage(browser), cashier);
  await page.setViewportSize(widths[0]);
  await openOffice(page, "admin", `/approvals?approval=${id}`);
  const isBelieved = await wantProof(page, "approvals/*");
  await dialog(page).getByRole("button", { name: "Refuse" }).click();
  const reason = dialog(page).getByLabel("Reason");
  await expect(reason).toBeFocused();
  await dialog(page).getByRole("button", { name: "Not yet" }).click();
  await expect(dialog(page).getByRole("button", { name: "Refuse" })).toBeFocused();
  await dialog(page).getByRole("button", { name: "Agree" }).click();
  await expect(reason).toBeFocused();
  await reason.fill("seen in the rounds");
  await giveUp(page, reason);
  await giveUp(page, reason);
  await isBelieved();
  await reason.press("Enter");
  await expect(dialog(page)).toContainText("Agreed and done");
  // What was done is told above the drawer, where it can be read and sent away.
  await dialog(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(dialog(page).getByRole("heading", { level: 2 })).toBeFocused();
});

test("what a site offers is asked for as well", async ({ page }) => {
  await openOffice(page, "admin", "/games");
  await page.getByRole("combobox", { name: "Site" }).selectOption({ index: 1 });
  await wantProof(page, "games/merchants/*/offers/*");
  await page.getByRole("button", { name: "Keno" }).click();
  // What holds on the site comes a moment after what holds on all of them, and has a reason of its own.
  await dialog(page).getByLabel("Lowest stake").fill("2");
  const reason = dialog(page).getByLabel("Reason").last();
  await reason.fill("a smaller stake");
  await page.setViewportSize({ width: 390, height: 500 });
  await giveUp(page, reason);
  await expect(dialog(page).getByLabel("Lowest stake")).toHaveValue("2");
  await giveUp(page, reason);
});

const titles = { EN: "Show that it is you", TY: "Patunayang ikaw ito" } as const;

for (const lang of ["EN", "TY"] as const) {
  test(`the question fits every page in ${lang}, dark and light, wide and narrow`, async ({
    page,
  }) => {
    await page.addInitScript((chosen) => localStorage.setItem("lang", chosen), lang);
    await openOffice(page, "admin");
    await askForProof(page, "to look at it");
    await expect(page.getByRole("heading", { name: titles[lang] })).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize(width);
      for (const theme of ["dark", "light"] as const) {
        await preferTheme(page, theme);
        expect.soft(await axeFindings(page), `${theme}, ${width.width} px`).toEqual([]);
      }
      const overhang = await page
        .locator("dialog")
        .last()
        .evaluate((popup) => popup.scrollWidth - popup.clientWidth);
      expect.soft(overhang, `${width.width} px`).toBeLessThanOrEqual(0);
    }
  });
}
