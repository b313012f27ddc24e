import { type Page, expect, onPhones, test } from "./test";
import { leave } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";
import { overlap, settled, widths } from "./settled";

const popup = (page: Page) => page.getByRole("dialog", { name: "Log in" });
/** What opens the popup: where the header has room for the form, its button logs in at once. */
const opener = (page: Page) => {
  const isWide = (page.viewportSize()?.width ?? 0) >= 1280;
  const name = isWide ? "Other ways to log in" : "Log in";
  return page.getByRole("banner").getByRole("button", { name, exact: true });
};

async function fillIn(page: Page, username: string, secret: string): Promise<void> {
  await popup(page).getByLabel("Username", { exact: true }).fill(username);
  await popup(page).getByLabel("Password", { exact: true }).fill(secret);
  await popup(page).getByRole("button", { name: "Log in", exact: true }).click();
}

test("a wrong password is told in words, the right one lets in", onPhones, async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  await fillIn(page, name, "not-the-password");
  await expect(popup(page).getByRole("alert")).toHaveText("Username or password is not correct.");
  // What comes along when it is copied is no part of it.
  await fillIn(page, ` ${name} `, ` ${password} `);
  await expect(accountButton(page)).toContainText(name);
  await expect(page).toHaveURL("/");
  await expect(popup(page)).toHaveCount(0);
});

test("empty fields are named before anything is sent", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto("/login");
  await popup(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(popup(page).getByLabel("Username", { exact: true })).toHaveAccessibleDescription(
    /empty/,
  );
  await expect(popup(page).getByLabel("Username", { exact: true })).toBeFocused();
  expect(sent.filter((url) => url.includes("/session/login"))).toEqual([]);
});

for (const path of ["/login", "/register"]) {
  test(`${path} is an address; Esc and the button lead home`, onPhones, async ({ page }) => {
    const dialog = page.getByRole("dialog");
    await page.goto(path);
    await expect(dialog.getByRole("heading")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL("/");
    await expect(dialog).toHaveCount(0);
    await page.goto(path);
    await expect(dialog.getByRole("heading")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL("/");
    await expect(dialog).toHaveCount(0);
  });
}

test("the keyboard alone logs in", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/");
  await expect(opener(page)).toBeVisible();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    if (await opener(page).evaluate((button) => button === document.activeElement)) break;
  }
  await expect(opener(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(popup(page).getByLabel("Username", { exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await expect(popup(page).getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(accountButton(page)).toContainText(name);
});

test("the focus stays inside and returns to the opener", onPhones, async ({ page }) => {
  await page.goto("/");
  await opener(page).click();
  await expect(popup(page).getByLabel("Username", { exact: true })).toBeFocused();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const active = document.activeElement;
      return active !== document.body && !active?.closest("dialog");
    });
    expect(outside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(popup(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();
});

test(
  "a click outside does not close it, and the page behind does not scroll",
  onPhones,
  async ({ page }) => {
    await page.goto("/login");
    await expect(popup(page).getByLabel("Username", { exact: true })).toBeVisible();
    await page.mouse.click(8, 400);
    await page.mouse.wheel(0, 600);
    await expect(popup(page)).toBeVisible();
    await expect(page.locator("html")).toHaveCSS("overflow", "hidden");
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press("Escape");
    await expect(page.locator("html")).not.toHaveCSS("overflow", "hidden");
  },
);

test("a password can be pasted and shown", async ({ page }) => {
  await page.goto("/login");
  const secret = popup(page).getByLabel("Password", { exact: true });
  await popup(page).getByLabel("Username", { exact: true }).fill("from-the-safe");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+c");
  await secret.focus();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(secret).toHaveValue("from-the-safe");
  await expect(secret).toHaveAttribute("type", "password");
  await popup(page).getByRole("button", { name: "Show the password" }).click();
  await expect(secret).toHaveAttribute("type", "text");
});

test("from the log-in to the registration and back", onPhones, async ({ page }) => {
  await page.goto("/");
  await opener(page).click();
  await popup(page).getByRole("button", { name: "Register now" }).click();
  const other = page.getByRole("dialog", { name: "Join the house" });
  await expect(other.getByLabel("Username", { exact: true })).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(popup(page).getByLabel("Username", { exact: true })).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

for (const name of ["Join", "Log in"])
  test(`on a phone a message covers neither the header nor what closes "${name}"`, async ({
    page,
  }) => {
    await page.setViewportSize(widths[0]);
    await openAs(page, await newPlayer(page), "/");
    await leave(page);
    const message = page.locator("[aria-live] > li").filter({ hasText: "You are logged out." });
    const header = page.getByRole("banner");
    expect(await overlap(message, header)).toBe(false);
    await header.getByRole("button", { name, exact: true }).click();
    const close = page.getByRole("dialog").getByRole("button", { name: "Close" });
    await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
    await settled(page);
    expect(await overlap(message, close)).toBe(false);
  });

test("on a phone all of the log-in is there at once, the free demo included", async ({ page }) => {
  await page.setViewportSize(widths[0]);
  // As on a site without providers: each of them has a button of its own.
  await page.route("**/wps/session/social", (route) =>
    route.fulfill({ json: { success: true, value: [] } }),
  );
  await page.goto("/login");
  const free = popup(page).getByRole("button", { name: "Play free with a demo account" });
  await expect(free).toBeInViewport({ ratio: 1 });
  expect(await popup(page).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await expect(popup(page).getByText("No name, no password: play money only.")).toBeInViewport({
    ratio: 1,
  });
});

/** Two wrong passwords, after which the form asks for a captcha. */
async function guessTwice(page: Page): Promise<void> {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  for (let tries = 0; tries < 2; tries += 1) {
    await popup(page).getByLabel("Username", { exact: true }).fill(name);
    await popup(page).getByLabel("Password", { exact: true }).fill(`wrong-${tries}-password`);
    const answered = page.waitForResponse("**/wps/session/login");
    await popup(page).getByRole("button", { name: "Log in", exact: true }).click();
    await answered;
    await expect(popup(page).getByRole("alert")).toBeVisible();
    await expect(popup(page).locator("form [aria-busy=true]")).toHaveCount(0);
  }
}

test("on a low screen it is seen that a password was wrong", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 667 });
  await guessTwice(page);
  await expect(popup(page).getByLabel("Characters in the picture")).toBeFocused();
  await expect(popup(page).getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(popup(page).getByLabel("Characters in the picture")).toBeInViewport({ ratio: 1 });
});

test("wrong passwords bring a captcha, which can be a question", onPhones, async ({ page }) => {
  await guessTwice(page);
  const picture = popup(page).getByRole("img", { name: /five characters/ });
  await expect(picture).toBeVisible();
  await popup(page).getByRole("button", { name: "Log in", exact: true }).click();
  await expect(popup(page).getByLabel("Characters in the picture")).toHaveAccessibleDescription(
    /empty/,
  );
  await popup(page).getByRole("button", { name: "I cannot see the picture" }).click();
  await expect(popup(page).getByLabel("Your answer")).toBeVisible();
  await expect(popup(page).locator("form [data-name]")).toHaveText(/\?/);
});
