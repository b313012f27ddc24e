import { expect, onPhones, test } from "./test";
import { bytesOf, digitsOf, stepMs } from "./authenticator";
import { twoDevices } from "./devices";
import { dialog, leave, logIn, setUpTwoFactor } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";

const another = "bagong-salita-sa-umaga-7";

test(
  "the second step: set up, asked for, passed, and a recovery code instead",
  onPhones,
  async ({ page }) => {
    const player = await newPlayer(page);
    await openAs(page, player, "/securityCenter");
    await page.getByRole("button", { name: "Set it up" }).click();
    await dialog(page).getByLabel("Your log-in password").fill(password);
    await dialog(page).getByRole("button", { name: "Go on" }).click();
    await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
    const secret = (await dialog(page).locator("code").textContent()) ?? "";
    await dialog(page).getByLabel("Code of the app").fill("000000");
    await dialog(page).getByRole("button", { name: "Turn it on" }).click();
    await expect(dialog(page).getByLabel("Code of the app")).toHaveAccessibleDescription(
      /not valid/,
    );
    await dialog(page)
      .getByLabel("Code of the app")
      .fill(digitsOf(bytesOf(secret), Date.now()));
    await dialog(page).getByRole("button", { name: "Turn it on" }).click();
    await expect(dialog(page).getByRole("listitem").first()).toBeVisible();
    const codes = await dialog(page).getByRole("listitem").allTextContents();
    expect(new Set(codes).size).toBeGreaterThanOrEqual(8);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog(page).getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/recovery-codes\.txt$/);
    await dialog(page).getByRole("button", { name: "I have kept them" }).click();
    await expect(page.getByText("On: a log-in asks for a code of your app")).toBeVisible();
    await leave(page);

    await logIn(page, player.name, password);
    await expect(page).toHaveURL("/login/verify");
    await expect(page.getByLabel("Code of the app")).toBeFocused();
    await page.getByLabel("Code of the app").fill("000000");
    await page.getByRole("button", { name: "Go on" }).click();
    await expect(page.getByLabel("Code of the app")).toHaveAccessibleDescription(/not valid/);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Go on" }).click();
    await expect(accountButton(page)).toContainText(player.name);
    await expect(page).toHaveURL("/");
    await page.goto("/securityCenter");
    const history = page.getByRole("region", { name: "Log-in history" }).getByRole("listitem");
    await expect(history.first()).toContainText("Username and password, and a recovery code");
    await expect(history.nth(1)).toContainText("Registration");
  },
);

test("who has a second step shows it for a new password, too", onPhones, async ({ page }) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/securityCenter");
  const next = await setUpTwoFactor(page);
  await expect(page.getByText("On: a log-in asks for a code of your app")).toBeVisible();
  await page.getByRole("button", { name: "Change the password" }).click();
  await dialog(page).getByLabel("Current password").fill(password);
  await dialog(page).getByLabel("New password").fill(another);
  await dialog(page).getByLabel("Confirm the password").fill(another);
  const code = dialog(page).getByLabel("Code of the app, or a recovery code");
  const change = dialog(page).getByRole("button", { name: "Change it" });
  await change.click();
  await expect(code).toHaveAccessibleDescription(/cannot be empty/);
  await code.fill("000000");
  await change.click();
  await expect(code).toHaveAccessibleDescription(/not valid/);
  const right = next();
  await code.fill(right);
  await change.click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();

  // The same code is worth nothing for the next change.
  await page
    .getByRole("main")
    .locator("[data-row]", { hasText: "Transaction password" })
    .getByRole("button", { name: "Set it", exact: true })
    .click();
  await dialog(page).getByLabel("Your log-in password").fill(another);
  await dialog(page).getByLabel("New transaction password").fill("481516");
  await dialog(page).getByLabel("Confirm the transaction password").fill("481516");
  await code.fill(right);
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(code).toHaveAccessibleDescription(/not valid/);
});

test("recovery codes stay until they are kept, whatever is pressed", onPhones, async ({ page }) => {
  await openAs(page, await newPlayer(page), "/securityCenter");
  await page.getByRole("button", { name: "Set it up" }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  const secret = bytesOf((await dialog(page).locator("code").textContent()) ?? "");
  await dialog(page).getByLabel("Code of the app").fill(digitsOf(secret, Date.now()));
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  const codes = page.getByRole("dialog", { name: "Two-step log-in" }).getByRole("listitem");
  const question = page.getByRole("dialog", { name: "Have you kept the codes?" });
  await expect(codes).toHaveCount(10);
  for (let times = 0; times < 3; times += 1) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(codes.first()).toBeVisible();
  }
  await expect(async () => {
    if (await question.isHidden()) await page.keyboard.press("Escape");
    await expect(question).toBeVisible({ timeout: 500 });
  }).toPass();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await expect(codes).toHaveCount(10);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await question.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New recovery codes" })).toBeFocused();
});

test("the second step says which secret is wrong, and logs other devices out", async ({
  page,
  browser,
}) => {
  const { elsewhere, devices } = await twoDevices(page, browser);
  const secret = dialog(page).getByLabel("Your log-in password");
  await page.getByRole("button", { name: "Set it up" }).click();
  await secret.fill("not-the-password");
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  await expect(secret).toHaveAccessibleDescription(/not correct/);
  await expect(secret).toBeFocused();
  await secret.fill(password);
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  await expect(dialog(page)).toContainText("your other devices are logged out");
  const key = bytesOf((await dialog(page).locator("code").textContent()) ?? "");
  await dialog(page).getByLabel("Code of the app").fill(digitsOf(key, Date.now()));
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  await dialog(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(accountButton(elsewhere)).toHaveCount(0);
  await elsewhere.context().close();

  await page.getByRole("button", { name: "Turn it off" }).click();
  const code = dialog(page).getByLabel("Code of the app");
  await secret.fill("not-the-password");
  await code.fill("000000");
  await dialog(page).getByRole("button", { name: "Turn it off" }).click();
  await expect(secret).toHaveAccessibleDescription(/not correct/);
  await expect(code).not.toHaveAttribute("aria-invalid", "true");
  await secret.fill(password);
  await dialog(page).getByRole("button", { name: "Turn it off" }).click();
  await expect(code).toHaveAccessibleDescription(/not valid/);
  await expect(secret).not.toHaveAttribute("aria-invalid", "true");
  // A code is good once: the next one of the app is taken some seconds early.
  await code.fill(digitsOf(key, Date.now() + stepMs));
  await dialog(page).getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByText("The two-step log-in is off.")).toBeVisible();
});
