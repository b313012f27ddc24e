import { type Page, expect, onPhones, test } from "./test";
import { dialog, fillRegistration } from "./forms";
import { accountButton, newName, newPlayer, openAs, password } from "./player";
import { settled } from "./settled";

const headline = (page: Page) => page.locator("main").getByRole("heading", { level: 1 });

for (const alias of ["/index", "/index.html", "/home"]) {
  test(`${alias} is the home page`, async ({ page }) => {
    await page.goto(alias);
    await expect(headline(page)).toHaveCount(1);
    await expect(page).toHaveURL("/");
  });
}

test(
  "/help opens the help center over the home page, and closing it returns home",
  onPhones,
  async ({ page }) => {
    await page.goto("/help");
    await expect(dialog(page).getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page).toHaveTitle(/Help/);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL("/");
    await expect(dialog(page)).toHaveCount(0);
  },
);

for (const [path, title] of [
  ["/lottery", "Lotteries"],
  ["/seaLottery", "Lotteries of South-East Asia"],
  ["/vnLottery", "Lotteries of Vietnam"],
] as const) {
  test(`${path} asks for a log-in and comes back with its query`, async ({ page }) => {
    const { name } = await newPlayer(page);
    await page.context().clearCookies();
    await page.goto(`${path}?gameCode=XSMB`);
    const form = dialog(page);
    await expect(page).toHaveURL(/\/login\?next=/);
    await form.getByLabel("Username", { exact: true }).fill(name);
    await form.getByLabel("Password", { exact: true }).fill(password);
    await form.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page).toHaveURL(`${path}?gameCode=XSMB`);
    await expect(headline(page)).toHaveText(title);
    await expect(page.locator("main code")).toHaveText("XSMB");
    await expect(dialog(page)).toHaveCount(0);
  });
}

test("a log-in leads to no other site", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/login?next=//elsewhere.example/");
  const form = dialog(page);
  await form.getByLabel("Username", { exact: true }).fill(name);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toBeVisible();
  await expect(page).toHaveURL("/");
});

test(
  "football says what it will be, and what can be played meanwhile",
  onPhones,
  async ({ page }) => {
    await page.goto("/fbSports");
    await expect(headline(page)).toHaveText("Football");
    await expect(page.getByText("Not open yet")).toBeVisible();
    await page.getByRole("link", { name: "Play what is open" }).click();
    await expect(page).toHaveURL("/rng");
  },
);

test("the agents' page lets agents in only", onPhones, async ({ page }) => {
  const player = await newPlayer(page);
  await page.goto("/agentHome");
  await expect(headline(page)).toHaveText("The agents' door");
  const main = page.getByRole("main");
  await main.getByLabel("Username", { exact: true }).fill(player.name);
  await main.getByLabel("Password", { exact: true }).fill(password);
  await main.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(main.getByRole("alert")).toHaveText("Non-agents cannot log in");
  await main.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("dialog", { name: "A new password" })).toBeVisible();
  await page.keyboard.press("Escape");
  await openAs(page, player, "/agentHome");
  await expect(main.getByRole("alert")).toHaveText("Non-agents cannot log in");
  await expect(main.getByRole("link", { name: "Become an affiliate" })).toBeVisible();
});

test("who joins on the agents' page is led where all newcomers are", onPhones, async ({ page }) => {
  await page.goto("/agentHome");
  await page.getByRole("banner").getByRole("button", { name: "Join" }).click();
  const form = page.getByRole("dialog", { name: "Join the house" });
  await fillRegistration(form, newName());
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(accountButton(page)).toBeVisible();
  await expect(page).toHaveURL("/promotions");
});

test("an unknown path helps to find what was looked for", onPhones, async ({ page }) => {
  await page.goto("/no/such/page");
  await expect(headline(page)).toHaveText("This pane is empty");
  await expect(page.locator("main .game-card").first()).toBeVisible();
  await page.getByRole("main").getByRole("searchbox").fill("mines");
  await expect(page).toHaveURL(/\/search\?q=mines/);
});

test("each page has its title, and begins at its top", onPhones, async ({ page }) => {
  await page.goto("/");
  await settled(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "How we stay fair" }).click();
  await expect(page).toHaveTitle("Fairness · Capiz");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveTitle(/see through/);
});
