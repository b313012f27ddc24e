import { type Page, expect, test } from "./test";
import { addPerson, dialog, heading } from "./colleagues";
import { axeFindings } from "./inspect";
import { openOffice } from "./office";
import { askForProofHere } from "./proof";
import { preferTheme } from "./settled";

const question = (page: Page, text = "Leave without saving?") =>
  dialog(page).filter({ has: page.getByRole("heading", { name: text }) });

/** Comes to the roles from the people, so that there is a way back. */
async function openRoles(page: Page): Promise<void> {
  await openOffice(page, "admin", "/staff");
  await page.getByRole("navigation").getByRole("link", { name: "Roles" }).click();
  await expect(heading(page)).toHaveText("Roles");
}

/** Loads the page again and stays when the browser asks; gives what it asked. */
async function tryReload(page: Page): Promise<string> {
  const asked = page.waitForEvent("dialog");
  // What is not answered with leaving never ends.
  void page.evaluate(() => location.reload()).catch(() => undefined);
  const ask = await asked;
  await ask.dismiss();
  return ask.type();
}

test("what is typed in a dialog does not go by Back or a reload without a word", async ({
  page,
}) => {
  await openRoles(page);
  await page.getByRole("button", { name: "Change: Content" }).click();
  const reason = dialog(page).getByLabel("Reason");
  await reason.fill("half a thought");
  await page.goBack();
  await expect(question(page)).toBeVisible();
  for (const theme of ["dark", "light"] as const) {
    await preferTheme(page, theme);
    expect.soft(await axeFindings(page), theme).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await expect(question(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/roles$/);
  await expect(reason).toHaveValue("half a thought");
  expect(await tryReload(page)).toBe("beforeunload");
  await expect(reason).toHaveValue("half a thought");

  // Who is asked in the meantime who they are is still asked after staying.
  await page.keyboard.press("Escape");
  await askForProofHere(page, "half a thought");
  await page.goBack();
  await question(page).getByRole("button", { name: "Cancel" }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(page.locator("dialog input[name=password]")).toBeVisible();
  await page.goBack();
  await question(page).getByRole("button", { name: "Leave" }).click();
  await expect(heading(page)).toHaveText("People");
  await expect(dialog(page)).toHaveCount(0);
});

test("nobody is asked where nothing is typed, or what was typed is saved", async ({ page }) => {
  await openRoles(page);
  const change = page.getByRole("button", { name: "Change: Content" });
  await change.click();
  await expect(dialog(page).getByLabel("Reason")).toBeVisible();
  await page.goBack();
  await expect(heading(page)).toHaveText("People");
  await expect(dialog(page)).toHaveCount(0);

  const person = await addPerson(page, "Nena Cruz", "Support");
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Nena de la Cruz");
  await dialog(page).getByLabel("Reason").fill("she married");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  await dialog(page).getByLabel("Reason").fill("never mind");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  // A way that lies in the dialog leaves the page as well.
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  await dialog(page).getByLabel("Reason").fill("what did she do");
  await dialog(page).getByRole("button", { name: "What this person did" }).click();
  await question(page).getByRole("button", { name: "Leave" }).click();
  await expect(heading(page)).toHaveText("Audit trail");
  await expect(dialog(page)).toHaveCount(0);
});

test("secrets that are shown once do not go by Back or a reload, and nothing that was typed beside them", async ({
  page,
}) => {
  await openRoles(page);
  await page.getByRole("navigation").getByRole("link", { name: "People" }).click();
  const person = await addPerson(page, "Pilar Ramos", "Support");
  await page.getByRole("row", { name: person.username }).getByRole("link").click();
  const popup = dialog(page).first();
  await popup.getByLabel("Name", { exact: true }).fill("Pilar Ramos-Uy");
  await popup.getByRole("button", { name: "Reset the secrets" }).click();
  await popup.getByRole("button", { name: "Cancel" }).click();
  await expect(popup.getByLabel("Name", { exact: true })).toHaveValue("Pilar Ramos-Uy");
  const reset = popup.getByRole("button", { name: "Reset the secrets" });
  await expect(reset).toBeFocused();
  await reset.click();
  await popup.getByLabel("Reason").filter({ visible: true }).fill("the phone was lost");
  await popup.getByLabel(/I have made sure/).check();
  await reset.click();
  await expect(popup.getByRole("img", { name: /QR code/ })).toBeVisible();
  const password = popup.locator("code").nth(1);
  const shown = await password.textContent();

  await page.goBack();
  const asked = question(page, "Have you handed the secrets over?");
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(asked).toHaveCount(0);
  await expect(password).toHaveText(shown ?? "");
  expect(await tryReload(page)).toBe("beforeunload");
  await expect(password).toHaveText(shown ?? "");

  await popup.getByRole("button", { name: "I have handed it over" }).click();
  await expect(popup.getByLabel("Name", { exact: true })).toHaveValue("Pilar Ramos-Uy");
  await expect(reset).toBeFocused();
  await popup.getByLabel("Reason").fill("she married");
  await popup.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: "Pilar Ramos-Uy" })).toBeVisible();
});
