import { shownName } from "../src/lib/shown-name";
import { type Page, expect, hush, onPhones, test } from "./test";
import { codeTo, newNumber, newPlayerByNumber, test as onOwnServer } from "./behind";
import { dialog, leave } from "./forms";
import { expectNoTrace, hasTrace } from "./kept";
import { accountButton, newPlayer, password } from "./player";
import { settled } from "./settled";

/** Logs in with the tick that has the password remembered. */
async function logInRemembered(page: Page, name: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByLabel("Remember my password").check();
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(password);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(shownName(name));
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
  await expect(accountButton(page)).toContainText(player.shownName);
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
