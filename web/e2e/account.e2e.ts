import { type Page, expect, hush, onPhones, strangersPage, test } from "./test";
import { bytesOf, digitsOf, stepMs } from "./authenticator";
import {
  askForNewPassword,
  codeTo,
  inDatabase,
  newNumber,
  newPlayerByNumber,
  test as onOwnServer,
} from "./behind";
import { dialog, leave, logIn, setUpTwoFactor } from "./forms";
import { expectNoTrace, hasTrace } from "./kept";
import { accountButton, newPlayer, openAs, password } from "./player";
import { settled } from "./settled";

const another = "bagong-salita-sa-umaga-7";

/** Logs in with the tick that has the password remembered. */
async function logInRemembered(page: Page, name: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByLabel("Remember my password").check();
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(password);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
}

test(
  "a remembered password fills the form for a day, and unticking forgets it",
  onPhones,
  async ({ page }) => {
    const { name } = await newPlayer(page);
    await logInRemembered(page, name);
    const remembered = async () =>
      (await page.context().cookies()).find((cookie) => cookie.name === "__Host-remember");
    await expect.poll(remembered).toMatchObject({ secure: true, sameSite: "Strict" });
    expect((await remembered())?.value).not.toContain(password);
    const life = ((await remembered())?.expires ?? 0) - Date.now() / 1000;
    expect(life).toBeGreaterThan(86_000);
    expect(life).toBeLessThanOrEqual(86_400);
    await leave(page);
    await page.goto("/login");
    await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue(name);
    await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(password);
    expect(await page.content()).not.toContain(password);
    await dialog(page).getByLabel("Remember my password").uncheck();
    await expect.poll(remembered).toBeUndefined();
    await page.reload();
    await expect(dialog(page).getByLabel("Username", { exact: true })).toBeFocused();
    await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue("");
  },
);

test("the box in the header is filled in by what is remembered, and forgets nothing", async ({
  page,
}) => {
  const { name } = await newPlayer(page);
  await logInRemembered(page, name);
  const names = async () => (await page.context().cookies()).map((cookie) => cookie.name);
  await expect.poll(names).toContain("__Host-remember");
  await leave(page);
  await hush(page);
  const box = page.getByRole("banner");
  await expect(box.getByLabel("Your username")).toHaveValue(name);
  await expect(box.getByLabel("Your password")).toHaveValue(password);
  await box.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
  await leave(page);
  await page.goto("/login");
  await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(password);
  await dialog(page).getByLabel("Remember my password").uncheck();
  await expect.poll(names).not.toContain("__Host-remember");
  await expect(page.getByLabel("Your password")).toHaveValue("");
});

for (const lang of ["EN", "TY"]) {
  test(`who is remembered still finds the other ways in, and the header has room, in ${lang}`, async ({
    page,
    context,
    baseURL,
  }) => {
    const { name } = await newPlayer(page);
    await logInRemembered(page, name);
    const names = async () => (await context.cookies()).map((cookie) => cookie.name);
    await expect.poll(names).toContain("__Host-remember");
    await leave(page);
    await context.addCookies([{ name: "lang", value: lang, url: baseURL ?? "" }]);
    const header = page.getByRole("banner");
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/");
      // Where there is no room for the box, its button opens the popup.
      const isFilled = width === 1280;
      if (isFilled) await expect(header.locator("[name=username]")).toHaveValue(name);
      await settled(page);
      const outside = await header.evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        const page = document.documentElement;
        const below = [...box.querySelectorAll("a, button, input, select")].filter((control) => {
          const { height, ...place } = control.getBoundingClientRect().toJSON() as DOMRect;
          return height > 0 && (place.top < top || place.bottom > bottom || height > 48);
        });
        return [page.scrollWidth - page.clientWidth, below.length];
      });
      expect(outside, `${width} px`).toEqual([0, 0]);
      const other = isFilled ? /^(Other ways to log in|Ibang paraan)/ : /^(Log in|Mag-login)$/;
      await header.getByRole("button", { name: other }).click();
      await expect(dialog(page).locator("[name=username]")).toHaveValue(name);
      await expect(dialog(page).locator("[name=remember]")).toBeChecked();
      await expect(accountButton(page)).toHaveCount(0);
    }
  });
}

test("the look for traces reads what is written down in another way", () => {
  const told = JSON.stringify({ username: "marikit", password });
  for (const before of ["", "a", "ab", "abc", "copy/"]) {
    for (const way of ["base64", "base64url", "hex"] as const) {
      const kept = `remember=${before}${Buffer.from(before + told).toString(way)}; path=/`;
      expect(hasTrace(kept, password), kept).toBe(true);
      expect(hasTrace(encodeURIComponent(kept), password), kept).toBe(true);
      expect(hasTrace(kept, "bagong-salita-sa-umaga-7")).toBe(false);
    }
  }
});

onOwnServer("no password and no number is remembered so that it can be read", async ({ page }) => {
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  const secrets = [password, number.typed];
  const names = async () => (await page.context().cookies()).map(({ name }) => name);
  await logInRemembered(page, player.name);
  await expect.poll(names).toContain("__Host-remember");
  await expectNoTrace(page, secrets);
  await leave(page);

  await page.goto("/login");
  await dialog(page).getByRole("tab", { name: "By mobile number" }).click();
  await dialog(page)
    .getByRole("checkbox", { name: /^Remember my/ })
    .check();
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164, 2));
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(player.name);
  await expect.poll(names).toContain("__Host-rememberNumber");
  await expectNoTrace(page, secrets);
  await leave(page);
  await expectNoTrace(page, secrets);
});

test("the box in the header neither remembers nor forgets somebody else", async ({ page }) => {
  const [first, second] = [await newPlayer(page), await newPlayer(page)];
  await logInRemembered(page, first.name);
  const names = async () => (await page.context().cookies()).map(({ name }) => name);
  await expect.poll(names).toContain("__Host-remember");
  await leave(page);
  await hush(page);
  const box = page.getByRole("banner");
  await expect(box.getByLabel("Your username")).toHaveValue(first.name);
  await box.getByLabel("Your username").fill(second.name);
  await box.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(second.name);
  await leave(page);
  await expect(box.getByLabel("Your username")).toHaveValue(first.name);
  // On a phone there is no room for the box: its button opens the form, whatever is remembered.
  await page.setViewportSize({ width: 390, height: 844 });
  await box.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue(first.name);
  await expect(accountButton(page)).toHaveCount(0);
});

test("wrong passwords bring a captcha, which can be a question", onPhones, async ({ page }) => {
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

test("a new password replaces the old one", onPhones, async ({ page }) => {
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

onOwnServer(
  "a new password that must be set is asked for after a reload, too",
  async ({ page }) => {
    const player = await newPlayer(page);
    await askForNewPassword(player.name);
    const popup = page.getByRole("dialog", { name: "Change the password" });
    await logIn(page, player.name, password);
    await expect(popup).toBeVisible();
    await expect(popup.getByLabel("Current password")).toHaveCount(0);
    await expect(page).toHaveURL("/");
    await page.reload();
    await expect(popup.getByLabel("Current password")).toBeFocused();
    await popup.getByLabel("Current password").fill(password);
    await popup.getByLabel("New password").fill(another);
    await popup.getByLabel("Confirm the password").fill(another);
    await popup.getByRole("button", { name: "Change it" }).click();
    await expect(page.getByText("Your password is changed.")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.reload();
    await expect(accountButton(page)).toContainText(player.name);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

onOwnServer(
  "closing a password that must be set ends the session, though the change is under way",
  onPhones,
  async ({ page }) => {
    const player = await newPlayer(page);
    await askForNewPassword(player.name);
    const popup = page.getByRole("dialog", { name: "Change the password" });
    await logIn(page, player.name, password);
    await popup.getByLabel("New password").fill(another);
    await popup.getByLabel("Confirm the password").fill(another);
    let changes = 0;
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/wps/member/password", async (route) => {
      const response = await route.fetch();
      changes += 1;
      await held;
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse("**/wps/member/password");
    await popup.getByRole("button", { name: "Change it" }).click();
    await expect.poll(() => changes).toBe(1);
    await page.keyboard.press("Escape");
    await expect(page.getByText("You are logged out.").last()).toBeVisible();
    answer();
    await answered;
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(accountButton(page)).toHaveCount(0);
    expect(await page.evaluate(() => sessionStorage.getItem("token"))).toBeNull();
  },
);

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

onOwnServer("the focus stays in the row of what was changed", async ({ page }) => {
  const player = await newPlayer(page);
  await openAs(page, player, "/securityCenter");
  const email = `${player.name}@mail.example`;
  await page.getByRole("button", { name: "Add an e-mail" }).click();
  await dialog(page).getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(email));
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Change the e-mail" })).toBeFocused();

  const next = await setUpTwoFactor(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New recovery codes" })).toBeFocused();
  await page.getByRole("button", { name: "Turn it off" }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  await dialog(page).getByLabel("Code of the app").fill(next());
  await dialog(page).getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Set it up" })).toBeFocused();
});

test("nickname and picture are the member's to choose", onPhones, async ({ page }) => {
  await openAs(page, await newPlayer(page), "/securityCenter");
  const profile = page.getByRole("region", { name: "Profile" });
  await profile.getByRole("button", { name: "Change", exact: true }).click();
  await profile.getByLabel("Nickname").fill("Marikit ng Capiz");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByText("Marikit ng Capiz")).toBeVisible();
  await expect(profile.getByRole("button", { name: "Change", exact: true })).toBeFocused();
  await profile.getByRole("button", { name: "Change your picture" }).click();
  await dialog(page).getByRole("radio", { name: "Jeepney" }).press("Space");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await profile.getByRole("button", { name: "Change your picture" }).click();
  await expect(dialog(page).getByLabel("Jeepney")).toBeChecked();
});

onOwnServer(
  "who registered before birthdays were asked for can tell it once",
  onPhones,
  async ({ page }) => {
    const player = await newPlayer(page);
    await inDatabase(
      (sql) => sql`
      update members_details set birthday = null
      where member_id = (select member_id from members_names where name = ${player.name})`,
    );
    await openAs(page, player, "/securityCenter");
    const profile = page.getByRole("region", { name: "Profile" });
    await profile.getByRole("button", { name: "Set it" }).click();
    await profile.getByLabel("Birthday").fill("2015-01-01");
    await profile.getByLabel("Please confirm you are 21").check();
    await profile.getByRole("button", { name: "Save" }).click();
    await expect(profile.getByLabel("Birthday")).toHaveAccessibleDescription(
      /21 years old or older/,
    );
    await profile.getByLabel("Birthday").fill("1990-05-17");
    await profile.getByRole("button", { name: "Save" }).click();
    await expect(profile.getByText("Set, and kept to ourselves")).toBeVisible();
  },
);

test("another device is seen and logged out", onPhones, async ({ page, browser }) => {
  const player = await newPlayer(page);
  const elsewhere = await strangersPage(browser);
  await logIn(elsewhere, player.name, password);
  await expect(accountButton(elsewhere)).toBeVisible();
  await openAs(page, player, "/securityCenter");
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await expect(devices.getByText("This device")).toHaveCount(1);
  await devices.getByRole("button", { name: "Log out", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(accountButton(elsewhere)).toHaveCount(0);
  const history = page.getByRole("region", { name: "Log-in history" });
  await expect(history.getByText("Username and password")).toBeVisible();
  await elsewhere.context().close();
});

test("all other devices are logged out at once", async ({ page, browser }) => {
  const player = await newPlayer(page);
  const others = [await strangersPage(browser), await strangersPage(browser)];
  for (const other of others) {
    await logIn(other, player.name, password);
    await expect(accountButton(other)).toBeVisible();
  }
  await openAs(page, player, "/securityCenter");
  const devices = page.getByRole("region", { name: "Devices" });
  const everywhere = devices.getByRole("button", { name: "Log out everywhere else" });
  await expect(devices.getByRole("listitem")).toHaveCount(3);
  await everywhere.click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(3);
  await everywhere.click();
  await dialog(page).getByRole("button", { name: "Log out everywhere else" }).click();
  await expect(page.getByText("All other devices are logged out.")).toBeVisible();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(devices.getByText("This device")).toBeVisible();
  await expect(everywhere).toHaveCount(0);
  for (const other of others) {
    await expect(accountButton(other)).toHaveCount(0);
    await other.context().close();
  }
  await page.reload();
  await expect(accountButton(page)).toContainText(player.name);
});

test("the second step says which secret is wrong, and logs other devices out", async ({
  page,
  browser,
}) => {
  const player = await newPlayer(page);
  const elsewhere = await strangersPage(browser);
  await logIn(elsewhere, player.name, password);
  await expect(accountButton(elsewhere)).toBeVisible();
  await openAs(page, player, "/securityCenter");
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
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

test("a transaction password is set with the log-in password", onPhones, async ({ page }) => {
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
