import { shownName } from "../src/lib/shown-name";
import { type Page, expect } from "./test";
import {
  askForNewPassword,
  codeTo,
  inDatabase,
  newNumber,
  newPlayerByNumber,
  newSite,
  test,
  waitIsOver,
} from "./behind";
import { dialog, fillPerson, leave, logIn } from "./forms";
import { expectNoTrace } from "./kept";
import { accountButton, newName, password } from "./player";
import { widths } from "./settled";

/** Six digits that are not these. */
const another = (code: string) => (code === "000000" ? "111111" : "000000");

async function openMobileWay(page: Page, path: "/login" | "/register", site = ""): Promise<void> {
  await page.goto(`${site}${path}`);
  await dialog(page).getByRole("tab", { name: "By mobile number" }).click();
}

async function fillPasswords(page: Page): Promise<void> {
  await dialog(page).getByLabel("Password", { exact: true }).fill(password);
  await dialog(page).getByLabel("Confirm the password").fill(password);
  await fillPerson(dialog(page));
}

for (const size of widths) {
  test.describe(`at ${size.width} px`, () => {
    test.use({ viewport: size });

    test("a code logs in, a wrong one does not, and another comes after the countdown", async ({
      page,
    }) => {
      const number = newNumber();
      const player = await newPlayerByNumber(page, number);
      await page.clock.install();
      await openMobileWay(page, "/login");
      const form = dialog(page);
      const send = form.getByRole("button", { name: "Send code" });
      await send.click();
      await expect(
        form.getByRole("textbox", { name: "Mobile number" }),
      ).toHaveAccessibleDescription(/Missing phone/);
      await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
      await send.click();
      const resting = form.getByRole("button", { name: /^Again in \d+ s$/ });
      await expect(resting).toBeDisabled();
      await expect(resting).toHaveText(/Again in (300|2\d\d) s/);
      await expect(form.getByText("The code is on its way.")).toBeVisible();
      const first = await codeTo(number.e164, 2);
      await form.getByLabel("Verification code").fill(another(first));
      await form.getByRole("button", { name: "Log in", exact: true }).click();
      await expect(form.getByLabel("Verification code")).toHaveAccessibleDescription(
        /Invalid verification code/,
      );
      await expect(accountButton(page)).toHaveCount(0);

      await page.clock.fastForward("05:01");
      await expect(send).toBeEnabled();
      // The page's clock was moved on, the server's was not: it still wants a minute.
      await send.click();
      const warning = page.getByRole("dialog", { name: "Please note" });
      await expect(warning).toContainText(/too many requests/i);
      await warning.getByRole("button", { name: "OK" }).click();
      await expect(warning).toHaveCount(0);
      await waitIsOver();
      await page.clock.fastForward("00:02");
      await send.click();
      await expect(resting).toBeDisabled();
      await form.getByLabel("Verification code").fill(await codeTo(number.e164, 3));
      await form.getByRole("button", { name: "Log in", exact: true }).click();
      await expect(accountButton(page)).toContainText(player.shownName);
      await expect(page).toHaveURL("/");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });

    test("a number registers with its code, and the newcomer is shown to the security center", async ({
      page,
    }) => {
      const number = newNumber();
      await openMobileWay(page, "/register");
      const form = dialog(page);
      await form.getByRole("textbox", { name: "Mobile number" }).fill(`0${number.typed}`);
      await fillPasswords(page);
      await form.getByRole("button", { name: "Create the account" }).click();
      await expect(form.getByLabel("Verification code")).toHaveAccessibleDescription(/Missing/);
      await form.getByRole("button", { name: "Send code" }).click();
      await form.getByLabel("Verification code").fill(await codeTo(number.e164));
      await form.getByRole("button", { name: "Create the account" }).click();
      await expect(page.getByText(`Welcome, ${shownName(number.e164)}!`)).toBeVisible();
      await expect(page).toHaveURL("/promotions");
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.getByRole("button", { name: "Make your account safe" }).click();
      await expect(page).toHaveURL("/securityCenter");
      await expect(
        page
          .getByRole("main")
          .getByText(/\+63.*\*+/)
          .first(),
      ).toBeVisible();
    });
  });
}

const numberField = (page: Page) => dialog(page).getByRole("textbox", { name: "Mobile number" });
const tick = (page: Page) => dialog(page).getByRole("checkbox", { name: /^Remember my/ });

/** Logs in by a code to the phone, the so-manieth that was sent there. */
async function logInByCode(page: Page, e164: string, nth: number): Promise<void> {
  await waitIsOver();
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(e164, nth));
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(shownName(e164));
}

test("a number is measured by its digits, however it is written", async ({ page }) => {
  const number = newNumber();
  const local = number.typed;
  await openMobileWay(page, "/register");
  await numberField(page).fill("(09) 17.12");
  await dialog(page).getByRole("button", { name: "Create the account" }).click();
  await expect(numberField(page)).toHaveAccessibleDescription(/7 to 14 digits/);
  await numberField(page).fill("+84 912 345 678");
  await expect(numberField(page)).toHaveAccessibleDescription(/valid phone number/);
  const grouped = `+63 (${local.slice(0, 3)}) ${local.slice(3, 6)}-${local.slice(6, 8)}.${local.slice(8)}`;
  await numberField(page).fill(grouped);
  await expect(numberField(page)).not.toHaveAttribute("aria-invalid", "true");
  await fillPasswords(page);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164));
  await dialog(page).getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByText(`Welcome, ${shownName(number.e164)}!`)).toBeVisible();
});

test("a password and a number are remembered side by side, and forgotten together", async ({
  page,
}) => {
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await page.goto("/login");
  await tick(page).check();
  await dialog(page).getByLabel("Username", { exact: true }).fill(player.name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(password);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(player.shownName);
  const names = async () => (await page.context().cookies()).map(({ name }) => name);
  await expect.poll(names).toContain("__Host-remember");
  await leave(page);

  // A box that was never ticked has nothing to say about the other form's.
  await openMobileWay(page, "/login");
  await expect(tick(page)).not.toBeChecked();
  await numberField(page).fill(number.typed);
  await logInByCode(page, number.e164, 2);
  await leave(page);
  await page.goto("/login");
  await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(password);

  await openMobileWay(page, "/login");
  await numberField(page).fill(number.typed);
  await tick(page).check();
  await logInByCode(page, number.e164, 3);
  await expect.poll(names).toContain("__Host-rememberNumber");
  await expectNoTrace(page, [number.typed, password]);
  await leave(page);
  // The log-in opens with what was remembered last.
  await page.goto("/login");
  await expect(numberField(page)).toHaveValue(number.typed);
  await expect(tick(page)).toBeChecked();
  await dialog(page).getByRole("tab", { name: "By username" }).click();
  await expect(dialog(page).getByLabel("Username", { exact: true })).toHaveValue(player.name);
  await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue(password);
  await dialog(page).getByRole("tab", { name: "By mobile number" }).click();

  await tick(page).uncheck();
  await expect.poll(names).not.toContain("__Host-remember");
  expect(await names()).not.toContain("__Host-rememberNumber");
});

test("a new password that staff ask for is asked of who comes with the old one", async ({
  page,
}) => {
  const number = newNumber();
  const player = await newPlayerByNumber(page, number);
  await askForNewPassword(player.name);
  await openMobileWay(page, "/login");
  await numberField(page).fill(number.typed);
  // Whoever comes by a code may have forgotten the old one.
  await logInByCode(page, number.e164, 2);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await leave(page);
  await logIn(page, player.name, password);
  await expect(page.getByRole("dialog", { name: "Change the password" })).toBeVisible();
});

test("numbers begin with the code of the house's own country", async ({ page }) => {
  const site = await newSite(page, {});
  const { hostname } = new URL(site);
  await inDatabase(
    (sql) => sql`
      update site_policies set dialing_code = '84'
      where merchant_id = (select merchant_id from site_hosts where host = ${hostname})`,
  );
  await expect(async () => {
    const boot = await page.goto(`${site}/wps/system/boot`);
    expect(await boot?.text()).toContain('"dialingCode":"84"');
  }).toPass();
  for (const path of ["/login", "/register"] as const) {
    await openMobileWay(page, path, site);
    const code = dialog(page).getByLabel("Country code");
    await expect(code.locator("option:checked")).toHaveText("+84 VN");
    await expect(code).toHaveValue("84");
  }
});

test("a registration by username asks for a code once a number is there", async ({ page }) => {
  const number = newNumber();
  const name = newName();
  await page.goto("/register");
  const form = dialog(page);
  const code = form.getByLabel("Verification code");
  await form.getByLabel("Username", { exact: true }).fill(name);
  await expect(code).toHaveCount(0);
  await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await expect(code).toBeVisible();
  await form.getByRole("textbox", { name: "Mobile number" }).fill("");
  await expect(code).toHaveCount(0);
  await form.getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await fillPasswords(page);
  await form.getByRole("button", { name: "Send code" }).click();
  const sent = await codeTo(number.e164);
  await code.fill(another(sent));
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(code).toHaveAccessibleDescription(/Invalid verification code/);
  await code.fill(sent);
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(accountButton(page)).toContainText(name);
  await leave(page);
  // The number is the member's now, so a code to it lets in as well.
  await openMobileWay(page, "/login");
  await dialog(page).getByRole("textbox", { name: "Mobile number" }).fill(number.typed);
  await dialog(page).getByRole("button", { name: "Send code" }).click();
  await dialog(page)
    .getByLabel("Verification code")
    .fill(await codeTo(number.e164, 2));
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
});

test.describe("in Tagalog", () => {
  test.use({ locale: "fil-PH", viewport: widths[0] });

  test("a code comes in the visitor's language and registers a number", async ({ page }) => {
    const number = newNumber();
    await page.goto("/register");
    const form = dialog(page);
    await form.getByRole("tab", { name: "Gamit ang mobile" }).click();
    await form.locator("input[name=mobileNum]").fill(number.typed);
    await form.getByRole("button", { name: "Ipadala ang code" }).click();
    await expect(form.getByText("Papunta na ang code.")).toBeVisible();
    await form.locator("input[name=verificationCode]").fill(await codeTo(number.e164));
    await form.locator("input[name=password]").fill(password);
    await form.locator("input[name=confirmPassword]").fill(password);
    await form.locator("input[name=birthday]").fill("1990-05-17");
    await form.getByLabel("Pakikumpirmang 21").check();
    await form.getByLabel("Ako ay 18").check();
    await form.getByLabel("Sumasang-ayon ako").check();
    await form.getByRole("button", { name: "Gumawa ng account" }).click();
    await expect(page.getByText(`Maligayang pagdating, ${shownName(number.e164)}!`)).toBeVisible();
    await expect(page).toHaveURL("/promotions");
  });
});
