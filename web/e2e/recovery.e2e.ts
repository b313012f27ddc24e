import { type Page, expect } from "./test";
import { codeTo, linkTo, newNumber, newPlayerByNumber, test } from "./behind";
import { bytesOf, digitsOf } from "./authenticator";
import { dialog, leave, logIn } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";
import { widths } from "./settled";

const another = "bagong-salita-sa-umaga-7";

async function recoverByNumber(page: Page, number: { typed: string; e164: string }): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByRole("button", { name: "Forgot your password?" }).click();
  await dialog(page).getByRole("tab", { name: "By mobile number" }).click();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164, 2));
  await dialog(page).getByLabel("New password").fill(another);
  await dialog(page).getByRole("button", { name: "Set the password" }).click();
}

/** Adds an e-mail address in the security center. */
async function bindEmail(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: "Add an e-mail" }).click();
  await dialog(page).getByLabel("E-mail").fill(email);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(email));
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("Confirmed and saved.")).toBeVisible();
}

async function askForLink(page: Page, username: string, email: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByRole("button", { name: "Forgot your password?" }).click();
  await dialog(page).getByLabel("Username", { exact: true }).fill(username);
  await dialog(page).getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog(page).getByRole("button", { name: "Send the link" }).click();
}

async function setByLink(page: Page, link: string, secret: string): Promise<void> {
  await page.goto(link);
  await dialog(page).getByLabel("New password").fill(secret);
  await dialog(page).getByLabel("Confirm the password").fill(secret);
  await dialog(page).getByRole("button", { name: "Set the password" }).click();
}

test("a code to the phone sets a new password and logs in", async ({ page }) => {
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await recoverByNumber(page, number);
  await expect(accountButton(page)).toContainText(player.name);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await leave(page);
  await logIn(page, player.name, password);
  await expect(dialog(page).getByRole("alert")).toContainText("not correct");
  await logIn(page, player.name, another);
  await expect(accountButton(page)).toContainText(player.name);
});

test("whoever has two steps is asked for the second after a recovery, too", async ({ page }) => {
  await page.setViewportSize(widths[0]);
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await openAs(page, player, "/securityCenter");
  await page.getByRole("button", { name: "Set it up" }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = (await dialog(page).locator("code").textContent()) ?? "";
  await dialog(page)
    .getByLabel("Code of the app")
    .fill(digitsOf(bytesOf(secret), Date.now()));
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  await dialog(page).getByRole("button", { name: "I have kept them" }).click();
  await leave(page);
  await recoverByNumber(page, number);
  await expect(page).toHaveURL("/login/verify");
  await expect(accountButton(page)).toHaveCount(0);
  // A code is good once: the next one of the app is taken some seconds early.
  await page.getByLabel("Code of the app").fill(digitsOf(bytesOf(secret), Date.now() + 30_000));
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(accountButton(page)).toContainText(player.name);
  await expect(page).toHaveURL("/");
});

for (const size of widths) {
  test(`the link of a mail sets a password, once, at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size);
    const player = await newPlayer(page);
    const email = `${player.name}@mail.example`;
    await openAs(page, player, "/securityCenter");
    await bindEmail(page, email);
    await leave(page);
    await askForLink(page, player.name, email);
    await expect(page.getByText("The mail is on its way.")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const link = await linkTo(email, 2);
    await setByLink(page, link, another);
    await expect(page.getByText("Your new password is set.")).toBeVisible();
    await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
    await logIn(page, player.name, another);
    await expect(accountButton(page)).toContainText(player.name);
    await leave(page);
    await setByLink(page, link, "isa-pang-salita-sa-hapon-9");
    await expect(dialog(page).getByRole("alert")).toHaveText(/used before or is too old/);
    await logIn(page, player.name, another);
    await expect(accountButton(page)).toContainText(player.name);
  });
}

test("a number is bound by a code, and replaced with the password only", async ({ page }) => {
  const [first, second] = [newNumber(), newNumber()];
  await openAs(page, await newPlayer(page), "/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await safety.getByRole("button", { name: "Add a mobile number" }).click();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(first.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page).getByLabel("Verification code").fill("12");
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog(page).getByText("Invalid verification code.")).toBeVisible();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(first.e164));
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("Confirmed and saved.")).toBeVisible();
  await expect(safety).toContainText(/\+63.*\*+/);
  await expect(safety).not.toContainText(first.e164);

  await safety.getByRole("button", { name: "Change the number" }).click();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(second.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(second.e164));
  await dialog(page).getByLabel("Your log-in password").fill("not-the-password");
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog(page).getByLabel("Your log-in password")).toHaveAccessibleDescription(
    /not correct/,
  );
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(safety).toContainText(second.e164.slice(-2));
});
