import { type Page, expect, strangersPage } from "./test";
import { codeTo, linkTo, newNumber, newPlayerByNumber, test, waitIsOver } from "./behind";
import { dialog, leave, logIn, setUpTwoFactor } from "./forms";
import { accountButton, newName, newPlayer, openAs, password } from "./player";
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
  await dialog(page).getByLabel("Your log-in password").fill(password);
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
  await expect(page).toHaveURL(/\/login$/);
  await dialog(page).getByLabel("Confirm the password").fill(secret);
  await dialog(page).getByRole("button", { name: "Set the password" }).click();
}

test("a code to the phone sets a new password and logs in", async ({ page }) => {
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await recoverByNumber(page, number);
  await expect(accountButton(page)).toContainText(player.shownName);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await leave(page);
  await logIn(page, player.name, password);
  await expect(dialog(page).getByRole("alert")).toContainText("not correct");
  await logIn(page, player.name, another);
  await expect(accountButton(page)).toContainText(player.shownName);
});

test("whoever has two steps is asked for the second after a recovery, too", async ({ page }) => {
  await page.setViewportSize(widths[0]);
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await openAs(page, player, "/securityCenter");
  const nextCode = await setUpTwoFactor(page);
  await leave(page);
  await recoverByNumber(page, number);
  await expect(page).toHaveURL("/login/verify");
  await expect(accountButton(page)).toHaveCount(0);
  await page.getByLabel("Code of the app").fill(nextCode());
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(accountButton(page)).toContainText(player.shownName);
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
    // It stays until it is closed, with what was typed: one goes to the mail and comes back.
    const notice = page.getByRole("dialog", { name: "Look into your mail" });
    await expect(notice).toContainText(`The mail is on its way to ${email}.`);
    await expect(notice).toContainText("spam folder");
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await notice.getByRole("button", { name: "OK" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const link = await linkTo(email);
    expect(link).toMatch(/\/login#recover=/);
    await setByLink(page, link, another);
    await expect(page.getByText("Your new password is set.")).toBeVisible();
    await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
    await logIn(page, player.name, another);
    await expect(accountButton(page)).toContainText(player.shownName);
    await leave(page);
    // Nobody thinks of another password for a link that is over, and another link is one press away.
    await page.goto(link);
    await expect(dialog(page).getByRole("alert")).toHaveText(/used before or is too old/);
    await expect(dialog(page).getByLabel("New password")).toHaveCount(0);
    await expect(dialog(page).getByLabel("Username", { exact: true })).toBeFocused();
    await expect(dialog(page).getByRole("button", { name: "Send the link" })).toBeVisible();
    await logIn(page, player.name, another);
    await expect(accountButton(page)).toContainText(player.shownName);
  });
}

test("a number that is somebody's is told in words of its own", async ({ page, browser }) => {
  const number = newNumber();
  await newPlayerByNumber(page, number);
  const other = await strangersPage(browser);
  await openAs(other, await newPlayer(other), "/securityCenter");
  await other.getByRole("button", { name: "Add a mobile number" }).click();
  await dialog(other).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await waitIsOver();
  await dialog(other).getByRole("button", { name: "Send code" }).click();
  await dialog(other)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164, 2));
  await dialog(other).getByLabel("Your log-in password").fill(password);
  await dialog(other).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(
    dialog(other).getByRole("textbox", { name: "Mobile number" }),
  ).toHaveAccessibleDescription(/mobile number is registered already/);
  await other.context().close();
});

test("a number takes a code and the password, the first one as well as another", async ({
  page,
}) => {
  const [first, second] = [newNumber(), newNumber()];
  await openAs(page, await newPlayer(page), "/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await safety.getByRole("button", { name: "Add a mobile number" }).click();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(first.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page).getByLabel("Verification code").fill("12");
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog(page).getByLabel("Your log-in password")).toHaveAccessibleDescription(
    /cannot be empty/,
  );
  await dialog(page).getByLabel("Your log-in password").fill("not-the-password");
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog(page).getByLabel("Your log-in password")).toHaveAccessibleDescription(
    /not correct/,
  );
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog(page).getByText("Invalid verification code.")).toBeVisible();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(first.e164));
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("Confirmed and saved.")).toBeVisible();
  await expect(safety).toContainText(/\+63.*\*+/);
  await expect(safety.getByText("Verified", { exact: true })).toBeVisible();
  await expect(safety.getByRole("button", { name: "Verify the number" })).toHaveCount(0);
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

async function sendTo(page: Page, email: string): Promise<void> {
  await dialog(page).getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(email));
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
}

for (const size of widths) {
  test(`an address that was only told is verified without the password, at ${size.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    const email = `${newName()}@mail.example`;
    await openAs(page, await newPlayer(page, { email }), "/securityCenter");
    const safety = page.getByRole("region", { name: "Security", exact: true });
    await expect(safety).toContainText(
      "Not verified: no link for a new password can be mailed to it.",
    );
    await safety.getByRole("button", { name: "Verify the e-mail" }).click();
    await expect(dialog(page)).toContainText(/\*+.@mail\.example/);
    await expect(dialog(page).getByLabel("Your log-in password")).toHaveCount(0);
    await sendTo(page, email);
    await expect(page.getByText("Confirmed and saved.")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(safety.getByText("Verified", { exact: true })).toBeVisible();
    await expect(safety.getByRole("button", { name: "Verify the e-mail" })).toHaveCount(0);
  });
}

test("verifying another address than the own takes the password after all", async ({ page }) => {
  const own = `${newName()}@mail.example`;
  const other = `${newName()}@post.example`;
  await openAs(page, await newPlayer(page, { email: own }), "/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await safety.getByRole("button", { name: "Verify the e-mail" }).click();
  await sendTo(page, other);
  const secret = dialog(page).getByLabel("Your log-in password");
  await expect(secret).toHaveAccessibleDescription(/not the one that you have given us/);
  await expect(secret).toBeFocused();
  await secret.fill(password);
  await dialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("Confirmed and saved.")).toBeVisible();
  await expect(safety).toContainText("@post.example");
  await expect(safety.getByText("Verified", { exact: true })).toBeVisible();
});
