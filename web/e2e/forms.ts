import { type Page, expect } from "@playwright/test";
import { accountButton } from "./player";

/** The popup on top. */
export const dialog = (page: Page) => page.getByRole("dialog").last();

export async function logIn(page: Page, name: string, secret: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(secret);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
}

export async function leave(page: Page): Promise<void> {
  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(accountButton(page)).toHaveCount(0);
  await expect(page.getByText("You are logged out.")).toBeVisible();
  // Who leaves is not asked to come back.
  await expect(page.getByRole("dialog")).toHaveCount(0);
}
