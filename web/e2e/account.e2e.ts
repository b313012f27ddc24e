import { expect, onPhones, strangersPage, test } from "./test";
import { askForNewPassword, codeTo, inDatabase, test as onOwnServer } from "./behind";
import { twoDevices } from "./devices";
import { dialog, leave, logIn, setUpTwoFactor } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";

const another = "bagong-salita-sa-umaga-7";

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
  const { elsewhere, devices } = await twoDevices(page, browser);
  await expect(devices.getByText("This device")).toHaveCount(1);
  await devices.getByRole("button", { name: "Log out", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(accountButton(elsewhere)).toHaveCount(0);
  // Whoever sits there reads what has happened, for as long as the log-in is open.
  await expect(dialog(elsewhere).getByRole("alert")).toHaveText(
    /You were logged out: from another device,.* Please log in again\./,
  );
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

test("a transaction password is set with the log-in password", onPhones, async ({ page }) => {
  await openAs(page, await newPlayer(page), "/securityCenter");
  const safety = page.getByRole("region", { name: "Security", exact: true });
  await safety.getByRole("button", { name: "Set it", exact: true }).click();
  await dialog(page).getByLabel("Your log-in password").fill(password);
  // What it has to be is said in the same words before and after, whatever is wrong with it.
  await expect(dialog(page)).toContainText("6 digits only.");
  for (const wrong of ["12ab", "123"]) {
    await dialog(page).getByLabel("New transaction password").fill(wrong);
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect(dialog(page).getByLabel("New transaction password")).toHaveAccessibleDescription(
      "6 digits only.",
    );
  }
  await dialog(page).getByLabel("New transaction password").fill("481516");
  await dialog(page).getByLabel("Confirm the transaction password").fill("481516");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your transaction password is set.")).toBeVisible();
  await expect(safety.getByRole("button", { name: "Change it" })).toBeVisible();
});
