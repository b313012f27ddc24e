import { type Page, expect, test } from "./test";
import { newSite, test as onOwnServer, requireField } from "./behind";
import { accountButton, newName, newPlayer, password } from "./player";

const form = (page: Page) => page.getByRole("dialog", { name: "Join the house" });
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true });

async function submit(page: Page): Promise<void> {
  await form(page).getByRole("button", { name: "Create the account" }).click();
}

async function fillIn(page: Page, username: string): Promise<void> {
  await field(page, "Username").fill(username);
  await field(page, "Password").fill(password);
  await field(page, "Confirm the password").fill(password);
  await form(page).getByLabel("I am 18").check();
  await form(page).getByLabel("I agree").check();
}

test("every error belongs to its field", async ({ page }) => {
  await page.goto("/register");
  await submit(page);
  for (const label of ["Username", "Password", "Confirm the password"]) {
    await expect(field(page, label)).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, label)).toHaveAccessibleDescription(/cannot be empty/);
  }
  await expect(form(page).getByLabel("I am 18")).toHaveAccessibleDescription(/18 or older/);
  await expect(form(page).getByLabel("I agree")).toHaveAccessibleDescription(/agree to the terms/);
  await expect(field(page, "Username")).toBeFocused();
});

test("each rule has words of its own", async ({ page }) => {
  await page.goto("/register");
  await fillIn(page, "1abc");
  await field(page, "Confirm the password").fill("something else");
  await submit(page);
  await expect(field(page, "Username")).toHaveAccessibleDescription(/starting with a letter/);
  await expect(field(page, "Confirm the password")).toHaveAccessibleDescription(/confirmation/);
  await field(page, "Username").fill("ab");
  await expect(field(page, "Username")).toHaveAccessibleDescription(/4 to \d+ characters/);
  await field(page, "Password").fill("short");
  await expect(field(page, "Password")).toHaveAccessibleDescription(/8 to \d+ characters/);
});

test("reset clears the form and its errors", async ({ page }) => {
  await page.goto("/register");
  await fillIn(page, "1abc");
  await submit(page);
  await expect(field(page, "Username")).toHaveAttribute("aria-invalid", "true");
  await form(page).getByRole("button", { name: "Reset" }).click();
  await expect(form(page).locator("[aria-invalid]")).toHaveCount(0);
  for (const label of ["Username", "Password", "Confirm the password"]) {
    await expect(field(page, label)).toHaveValue("");
  }
  await expect(form(page).getByLabel("I am 18")).not.toBeChecked();
});

test("a taken name is said at the field, whatever its case", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/register");
  await fillIn(page, name.toUpperCase());
  await submit(page);
  await expect(field(page, "Username")).toHaveAccessibleDescription(/is taken/);
  await expect(field(page, "Username")).toBeFocused();
});

test("the form opens at its top on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/register");
  await expect(field(page, "Username")).toBeFocused();
  expect(await page.getByRole("dialog").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
});

test("a long form can be closed from its end", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/register");
  await expect(field(page, "Username")).toBeFocused();
  const dialog = page.getByRole("dialog");
  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const close = dialog.getByRole("button", { name: "Close" });
  await expect(close).toBeInViewport({ ratio: 1 });
  await close.click();
  await expect(dialog).toHaveCount(0);
});

onOwnServer(
  "a friend's code that a site insists on can be typed by who has no link",
  async ({ page }) => {
    const site = await newSite(page, {});
    await requireField(page, site, "referralCode");
    await page.goto(`${site}/register?referralCode=FRIEND12`);
    await expect(field(page, "Username")).toBeVisible();
    await expect(form(page).getByLabel("Code from a friend's link")).toHaveCount(0);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${site}/register`);
    await fillIn(page, newName());
    await submit(page);
    await expect(form(page).getByLabel("Code from a friend's link")).toHaveAccessibleDescription(
      /cannot be empty/,
    );
    await form(page).getByLabel("Code from a friend's link").fill("FRIEND12");
    await submit(page);
    await expect(accountButton(page)).toBeVisible();
  },
);
