import { type Locator, type Page, expect } from "@playwright/test";
import { bytesOf, digitsOf } from "./authenticator";
import { accountButton, password } from "./player";

/** The popup on top. */
export const dialog = (page: Page) => page.getByRole("dialog").last();

export async function logIn(page: Page, name: string, secret: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(secret);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
}

/** Tells and ticks what everybody does who registers. */
export async function fillPerson(form: Locator): Promise<void> {
  await form.getByLabel("Birthday").fill("1990-05-17");
  await form.getByLabel("Please confirm you are 21").check();
  await form.getByLabel("I am 18").check();
  await form.getByLabel("I agree").check();
}

/** Fills in a registration by username, as far as everybody must. */
export async function fillRegistration(form: Locator, username: string): Promise<void> {
  await form.getByLabel("Username", { exact: true }).fill(username);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("Confirm the password").fill(password);
  await fillPerson(form);
}

/** Sets up the second step of a member who is in the security center; gives the app's next code. */
export async function setUpTwoFactor(page: Page): Promise<() => string> {
  await page.getByRole("button", { name: "Set it up" }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = bytesOf((await dialog(page).locator("code").textContent()) ?? "");
  await dialog(page).getByLabel("Code of the app").fill(digitsOf(secret, Date.now()));
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  await dialog(page).getByRole("button", { name: "I have kept them" }).click();
  // A code is good once: the next one of the app is taken some seconds early.
  return () => digitsOf(secret, Date.now() + 30_000);
}

export async function leave(page: Page): Promise<void> {
  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(accountButton(page)).toHaveCount(0);
  await expect(page.getByText("You are logged out.").last()).toBeVisible();
  // Who leaves is not asked to come back.
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Has a page believe that the link of a mail is good. */
export async function believeLinks(page: Page): Promise<void> {
  const yes = { json: { success: true, value: null } };
  await page.route("**/wps/member/password/link/look", (route) => route.fulfill(yes));
}
