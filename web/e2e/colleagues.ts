import { type Browser, type Page, expect, strangersPage } from "./test";
import { bytesOf, digitsOf, stepMs } from "./authenticator";
import { fillLogin, untilNextCode } from "./office";
import { officeUrl } from "./site";

export const dialog = (page: Page) => page.getByRole("dialog");
export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

export type Newcomer = { username: string; password: string; key: Buffer };

/** Adds somebody as the administrator, by the page; resolves to what it shows once. */
export async function addPerson(page: Page, name: string, role: string): Promise<Newcomer> {
  const username = `e2e.${Date.now().toString(36)}`;
  await page.getByRole("button", { name: "Add a person" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill(name);
  await dialog(page).getByLabel("Username").fill(username);
  await dialog(page).getByLabel(role).check();
  await dialog(page).getByLabel("Reason").fill("a test needs a hand");
  await dialog(page).getByRole("button", { name: "Add a person" }).click();
  await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
  const [shown, password = "", secret = ""] = await dialog(page).locator("code").allTextContents();
  expect(shown).toBe(username);
  await expect(dialog(page)).toContainText("works for three days, and only to choose one's own");
  await dialog(page).getByRole("button", { name: "I have handed it over" }).click();
  await expect(dialog(page)).toHaveCount(0);
  return { username, password, key: bytesOf(secret) };
}

/** Three codes are good at a time, each once: an earlier one leaves the later ones for other log-ins. */
export async function logInAs(browser: Browser, person: Newcomer, step: -1 | 0 | 1): Promise<Page> {
  const page = await strangersPage(browser);
  await page.goto(officeUrl);
  await expect(heading(page)).toHaveText("Staff log-in");
  // The earliest one is about to go at the end of a step.
  if (step === -1 && Date.now() % stepMs > stepMs / 2) await untilNextCode();
  const code = digitsOf(person.key, Date.now() + step * stepMs);
  await fillLogin(page, person.username, person.password, code);
  await expect(heading(page)).toHaveText("My desk");
  return page;
}

/** Takes the place of a password that was given: before that nothing but the desk is open. */
export async function choosePassword(page: Page, person: Newcomer, step: 0 | 1): Promise<Newcomer> {
  const password = "mas-mahabang-salita-9";
  await expect(page.getByText("This password was given to you")).toBeVisible();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("New password once more").fill(password);
  const code = digitsOf(person.key, Date.now() + step * stepMs);
  await page.getByLabel("Code from your authenticator").fill(code);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await expect(page.getByText("This password was given to you")).toHaveCount(0);
  return { ...person, password };
}
