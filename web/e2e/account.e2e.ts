import { expect, strangersPage, test } from "./test";
import { bytesOf, digitsOf } from "./authenticator";
import { dialog, leave, logIn } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";

const another = "bagong-salita-sa-umaga-7";

test("a remembered password fills the form for a day, and unticking forgets it", async ({
  page,
}) => {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  await dialog(page).getByLabel("Remember my password").check();
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(password);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
  const remembered = async () =>
    (await page.context().cookies()).find((cookie) => cookie.name === "remember");
  await expect.poll(remembered).toMatchObject({ secure: true, sameSite: "Strict" });
  expect((await remembered())?.value).not.toContain(password);
  const life = ((await remembered())?.expires ?? 0) - Date.now() / 1000;
  expect(life).toBeGreaterThan(86_000);
  expect(life).toBeLessThanOrEqual(86_400);
  await leave(page);
  await page.goto("/login");
  await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue(name);
  await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(password);
  await dialog(page).getByLabel("Remember my password").uncheck();
  await expect.poll(remembered).toBeUndefined();
  await page.reload();
  await expect(dialog(page).getByLabel("Username", { exact: true })).toBeFocused();
  await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue("");
});

test("wrong passwords bring a captcha, which can be a question", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  const picture = dialog(page).getByRole("img", { name: /five characters/ });
  const alert = dialog(page).getByRole("alert");
  for (let tries = 0; tries < 2; tries += 1) {
    await dialog(page).getByLabel("Username", { exact: true }).fill(name);
    await dialog(page).getByLabel("Password", { exact: true }).fill(`wrong-${tries}-password`);
    const answered = page.waitForResponse("**/wps/session/login");
    await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
    await answered;
    await expect(alert).toBeVisible();
    await expect(dialog(page).locator("form [aria-busy=true]")).toHaveCount(0);
  }
  await expect(picture).toBeVisible();
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(dialog(page).getByLabel("Characters in the picture")).toHaveAccessibleDescription(
    /empty/,
  );
  await dialog(page).getByRole("button", { name: "I cannot see the picture" }).click();
  await expect(dialog(page).getByLabel("Your answer")).toBeVisible();
  await expect(dialog(page).locator("form [data-name]")).toHaveText(/\?/);
});

test("a new password replaces the old one", async ({ page }) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/securityCenter");
  await page.getByRole("button", { name: "Change the password" }).click();
  await dialog(page).getByLabel("Current password").fill("not-the-password");
  await dialog(page).getByLabel("New password").fill(another);
  await dialog(page).getByLabel("Confirm the password").fill(another);
  await dialog(page).getByRole("button", { name: "Change it" }).click();
  await expect(dialog(page).getByLabel("Current password")).toHaveAccessibleDescription(
    /not correct/,
  );
  await dialog(page).getByLabel("Current password").fill(password);
  await dialog(page).getByRole("button", { name: "Change it" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await leave(page);
  await logIn(page, player.name, another);
  await expect(accountButton(page)).toContainText(player.name);
});

test("the second step: set up, asked for, passed, and a recovery code instead", async ({
  page,
}) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/securityCenter");
  await page.getByRole("button", { name: "Set it up" }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Go on" }).click();
  await expect(dialog(page).getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = (await dialog(page).locator("code").textContent()) ?? "";
  await dialog(page).getByLabel("Code of the app").fill("000000");
  await dialog(page).getByRole("button", { name: "Turn it on" }).click();
  await expect(dialog(page).getByLabel("Code of the app")).toHaveAccessibleDescription(/not valid/);
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
});

test("nickname, picture and birthday are the member's to choose", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/securityCenter");
  const profile = page.getByRole("region", { name: "Profile" });
  await profile.getByRole("button", { name: "Change", exact: true }).click();
  await profile.getByLabel("Nickname").fill("Marikit ng Capiz");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByText("Marikit ng Capiz")).toBeVisible();
  await profile.getByRole("button", { name: "Set it" }).click();
  await profile.getByLabel("Birthday").fill("2015-01-01");
  await profile.getByLabel("Please confirm you are 21").check();
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByLabel("Birthday")).toHaveAccessibleDescription(/21 years old or older/);
  await profile.getByLabel("Birthday").fill("1990-05-17");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByText("Set, and kept to ourselves")).toBeVisible();
  await profile.getByRole("button", { name: "Change your picture" }).click();
  await dialog(page).getByRole("radio", { name: "Jeepney" }).press("Space");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await profile.getByRole("button", { name: "Change your picture" }).click();
  await expect(dialog(page).getByLabel("Jeepney")).toBeChecked();
});

test("another device is seen and logged out", async ({ page, browser }) => {
  const player = await newPlayer(page);
  const elsewhere = await strangersPage(browser);
  await logIn(elsewhere, player.name, password);
  await expect(accountButton(elsewhere)).toBeVisible();
  await openAs(page, player, "/securityCenter");
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await expect(devices.getByText("This device")).toHaveCount(1);
  await devices.getByRole("button", { name: "Log out" }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(accountButton(elsewhere)).toHaveCount(0);
  const history = page.getByRole("region", { name: "Log-in history" });
  await expect(history.getByText("Username and password")).toBeVisible();
  await elsewhere.context().close();
});

test("a transaction password is set with the log-in password", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await safety.getByRole("button", { name: "Set it", exact: true }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByLabel("New transaction password").fill("12ab");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByLabel("New transaction password")).toHaveAccessibleDescription(
    /6 characters/,
  );
  await dialog(page).getByLabel("New transaction password").fill("481516");
  await dialog(page).getByLabel("Confirm the transaction password").fill("481516");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your transaction password is set.")).toBeVisible();
  await expect(safety.getByRole("button", { name: "Change it" })).toBeVisible();
});
