import { type Page, expect, onPhones, test } from "./test";
import { believeLinks, fillRegistration, leave, logIn } from "./forms";
import { accountButton, newName, newPlayer, openAs, password } from "./player";

const banner = (page: Page) => page.getByRole("banner");
const box = (page: Page) => ({
  username: banner(page).getByLabel("Your username"),
  password: banner(page).getByLabel("Your password"),
  submit: banner(page).getByRole("button", { name: "Log in", exact: true }),
});
const warning = (page: Page) => page.getByRole("dialog", { name: "Please note" });

test.describe("the box in the header", () => {
  test("lets in", async ({ page }) => {
    const { name } = await newPlayer(page);
    await page.goto("/");
    await box(page).username.fill(` ${name} `);
    await box(page).password.fill(` ${password} `);
    await page.keyboard.press("Enter");
    await expect(accountButton(page)).toContainText(name);
  });

  test("warns in a dialog when the password is wrong or missing", async ({ page }) => {
    await page.goto("/");
    await box(page).username.fill(newName());
    await box(page).submit.click();
    await expect(warning(page)).toContainText("Username or password is not correct.");
    await warning(page).getByRole("button", { name: "OK" }).click();
    await expect(warning(page)).toHaveCount(0);
    await box(page).password.fill("a wrong password");
    await box(page).submit.click();
    await expect(warning(page)).toContainText("Username or password is not correct.");
  });

  test("is not on phones, where the button opens the popup", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/");
    await expect(box(page).username).toBeHidden();
    await box(page).submit.click();
    await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  });

  test("leads to the forgotten password", async ({ page }) => {
    await page.goto("/");
    await box(page).username.fill("marikit");
    await banner(page).getByRole("button", { name: "Forgot password?" }).click();
    const forgot = page.getByRole("dialog", { name: "A new password" });
    await expect(forgot.getByLabel("Username", { exact: true })).toHaveValue("marikit");
  });
});

test("a log-in without the tick keeps nothing", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/login");
  const form = page.getByRole("dialog");
  await expect(form.getByLabel("Remember my password")).not.toBeChecked();
  await form.getByLabel("Username", { exact: true }).fill(name);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toContainText(name);
  const cookies = await page.context().cookies();
  expect(cookies.map((cookie) => cookie.name)).not.toContain("__Host-remember");
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  );
  expect(kept).not.toContain(password);
});

test("a username that was typed is not asked for again", onPhones, async ({ page }) => {
  await page.goto("/login");
  const login = page.getByRole("dialog", { name: "Log in" });
  const forgot = page.getByRole("dialog", { name: "A new password" });
  await login.getByLabel("Username", { exact: true }).fill(" marikit ");
  await login.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(forgot.getByLabel("Username", { exact: true })).toHaveValue("marikit");
  await expect(forgot.getByRole("textbox", { name: "E-mail" })).toBeFocused();
  await forgot.getByLabel("Username", { exact: true }).fill("marikit2");
  await forgot.getByRole("button", { name: "Back to the log-in" }).click();
  await expect(login.getByLabel("Username", { exact: true })).toHaveValue("marikit2");
  await expect(login.getByLabel("Password", { exact: true })).toHaveValue("");
});

test("the forgotten password names what is missing, and leads back", onPhones, async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("dialog").getByRole("button", { name: "Forgot your password?" }).click();
  const forgot = page.getByRole("dialog", { name: "A new password" });
  await expect(forgot.getByLabel("Username", { exact: true })).toBeFocused();
  await forgot.getByRole("textbox", { name: "E-mail" }).fill("nobody");
  await forgot.getByRole("button", { name: "Send the link" }).click();
  await expect(forgot.getByLabel("Username", { exact: true })).toHaveAccessibleDescription(
    /cannot be empty/,
  );
  await expect(forgot.getByRole("textbox", { name: "E-mail" })).toHaveAccessibleDescription(
    /valid e-mail/,
  );
  const username = forgot.getByLabel("Username", { exact: true });
  // Names may be older than the rule for names: who was never a member is told so by the server.
  await username.fill("1abc");
  await forgot.getByRole("textbox", { name: "E-mail" }).fill("nobody@example.com");
  await forgot.getByRole("button", { name: "Send the link" }).click();
  await expect(username).toHaveAccessibleDescription(/starting with a letter/);
  await forgot.getByRole("button", { name: "Back to the log-in" }).click();
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

test("the link of a mail asks for a new password, twice the same", onPhones, async ({ page }) => {
  await believeLinks(page);
  await page.goto("/login#recover=not-a-real-token");
  const forgot = page.getByRole("dialog", { name: "A new password" });
  await forgot.getByLabel("New password").fill("a-good-long-one");
  await expect(page).toHaveURL("/login");
  await forgot.getByLabel("Confirm the password").fill("another");
  await forgot.getByRole("button", { name: "Set the password" }).click();
  await expect(forgot.getByLabel("Confirm the password")).toHaveAccessibleDescription(
    /confirmation/,
  );
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/");
});

test("the link of a mail works where the log-in is open, and no other script sees it", async ({
  page,
}) => {
  await page.goto("/login");
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
  // As a script that counts visits does: it comes late, listens, and puts its own functions in place.
  const seen = await page.evaluate(async () => {
    const addresses: string[] = [];
    const look = () => addresses.push(location.href);
    for (const type of ["popstate", "hashchange"]) addEventListener(type, look);
    const own = history.replaceState.bind(history);
    history.replaceState = (...change: Parameters<typeof own>) => {
      look();
      own(...change);
    };
    location.hash = "recover=not-a-real-token";
    await new Promise((resolve) => setTimeout(resolve, 300));
    return addresses;
  });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.join(" ")).not.toContain("recover");
  await expect(page.getByRole("dialog", { name: "A new password" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page).toHaveURL("/login");
  // A link is good for one popup: whoever closes it and goes back finds the log-in.
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
});

test("only a newcomer's tab is marked as such", async ({ page }) => {
  const mark = () => page.evaluate(() => sessionStorage.getItem("firstLogin"));
  const { name } = await newPlayer(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Play free with a demo account" }).click();
  await expect(accountButton(page)).toBeVisible();
  expect(await mark()).toBeNull();
  // Who comes from a demo account, or from a newcomer's session in the same tab, may have been here for years.
  await page.evaluate(() => sessionStorage.setItem("firstLogin", "1"));
  await logIn(page, name, password);
  await expect(accountButton(page)).toContainText(name);
  expect(await mark()).toBeNull();
  await leave(page);
  await page.goto("/register");
  await fillRegistration(page.getByRole("dialog", { name: "Join the house" }), newName());
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(accountButton(page)).toBeVisible();
  expect(await mark()).toBe("1");
});

test("the second step without a first one leads to the log-in", onPhones, async ({ page }) => {
  await page.goto("/login/verify");
  await expect(page.getByText("This log-in is over.")).toBeVisible();
  await page.getByRole("link", { name: "Back to the log-in" }).click();
  await expect(page).toHaveURL("/login");
});

test("an invitation in the link is kept for the visit", async ({ page }) => {
  const kept = () => page.evaluate(() => sessionStorage.getItem("affiliateCode"));
  await page.goto("/?affiliateCode=ABCD1");
  await expect.poll(kept).toBe("ABCD1");
  await page.goto("/register");
  await expect(page.getByRole("dialog", { name: "Join the house" })).toBeVisible();
  expect(await kept()).toBe("ABCD1");
  await expect(page.getByLabel("Invitation code")).toHaveCount(0);
});

test.describe("the security center", () => {
  test("asks a visitor to log in and comes back", onPhones, async ({ page }) => {
    const { name } = await newPlayer(page);
    await page.goto("/securityCenter");
    await expect(page).toHaveURL("/login?next=%2FsecurityCenter");
    const form = page.getByRole("dialog", { name: "Log in" });
    await expect(form.getByRole("alert")).toHaveText("You are not logged in, please login");
    await form.getByLabel("Username", { exact: true }).fill(name);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
    await expect(page).toHaveURL("/securityCenter");
  });

  test("tells a demo account to register first", async ({ page }) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Play free with a demo account" }).click();
    await accountButton(page).click();
    await page.getByRole("link", { name: "My account" }).click();
    await expect(page.getByText("Please Register An Account First")).toBeVisible();
    await page.getByRole("main").getByRole("button", { name: "Register" }).click();
    await expect(page.getByRole("dialog", { name: "Join the house" })).toBeVisible();
  });

  test("checks a new password before anything is sent", async ({ page }) => {
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await openAs(page, await newPlayer(page), "/securityCenter");
    await page.getByRole("button", { name: "Change the password" }).click();
    const form = page.getByRole("dialog", { name: "Change the password" });
    await form.getByLabel("New password").fill("short");
    await form.getByRole("button", { name: "Change it" }).click();
    await expect(form.getByLabel("Current password")).toHaveAccessibleDescription(/empty/);
    await expect(form.getByLabel("New password")).toHaveAccessibleDescription(
      /8 to \d+ characters/,
    );
    expect(sent.filter((call) => call.startsWith("POST"))).toEqual([]);
  });
});
