import { type Page, expect, test } from "./test";
import { axeFindings, smallTargets, watchFaults } from "./inspect";
import { accountButton, newPlayer, openAs } from "./player";
import { settled, widths } from "./settled";

const cards = (page: Page) => page.locator("main .game-card");
const card = (page: Page, name: string) =>
  page.locator("main .game-card").filter({ hasText: name }).first();

/** Changes what lists say of their games, as another catalogue would. */
async function changeGames(page: Page, change: object): Promise<void> {
  await page.route(/\/lgw\/games\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { value: { content: object[] } };
    for (const game of body.value.content) Object.assign(game, change);
    await route.fulfill({ response: answer, json: body });
  });
}

for (const width of widths) {
  test(`a center is calm and sound at ${width.width} px`, async ({ page }) => {
    const faults = await watchFaults(page);
    await page.setViewportSize(width);
    for (const scheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto("/rng");
      await expect(cards(page)).toHaveCount(12);
      await settled(page);
      expect(await axeFindings(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
}

test("filters stand in the address and narrow the list", async ({ page }) => {
  await page.goto("/rng");
  await expect(cards(page)).toHaveCount(12);
  await page.getByRole("button", { name: /^Jackpot/ }).click();
  await expect(cards(page)).toHaveCount(2);
  await expect(page).toHaveURL("/rng?label=JP");
  await page.reload();
  await expect(cards(page)).toHaveCount(2);
  await page.getByRole("button", { name: "All kinds" }).click();
  await expect(page).toHaveURL("/rng");
  await page.getByLabel("Order").selectOption("name");
  await expect(page).toHaveURL("/rng?sort=name");
  await expect(cards(page).first()).toContainText("Capiz Windows");
  await page.getByLabel("Search games").fill("plinco");
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText("Plinko");
  await page.getByLabel("Search games").fill("qqqqqqqq");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await page.getByRole("button", { name: "Show all games" }).click();
  await expect(cards(page)).toHaveCount(12);
});

test("search finds games of all kinds and forgives mistakes", async ({ page }) => {
  await page.goto("/hot");
  await page.getByRole("link", { name: "Search" }).click();
  await expect(page.getByLabel("Search games")).toBeFocused();
  await page.getByLabel("Search games").fill("widnows");
  await expect(page.getByRole("status").filter({ hasText: "1 found" })).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await expect(page).toHaveURL("/search?q=widnows");
  expect(await axeFindings(page)).toEqual([]);
});

test("a category without games says so and leads elsewhere", async ({ page }) => {
  await page.goto("/live");
  await expect(page.getByRole("heading", { level: 2 }).first()).toContainText("Live casino");
  await expect(cards(page)).toHaveCount(6);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Hot", exact: true }).click();
  await expect(page).toHaveURL("/hot");
  await expect(cards(page)).toHaveCount(6);
});

test("a visitor who wants to play or keep a game logs in", async ({ page }) => {
  await page.goto("/rng");
  await card(page, "Mines").getByRole("link").click();
  const login = page.getByRole("dialog");
  await expect(login.getByLabel("Username", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Favorite: Mines" }).click();
  await expect(login.getByLabel("Username", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  for (const path of ["/favorites", "/recent"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
    await expect(login.getByRole("alert")).toHaveText("You are not logged in, please login");
  }
});

test("a demo account plays what is free and is told to register for the rest", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Try it free" }).click();
  await expect(page).toHaveURL("/play/dice");
  await page.getByRole("navigation").first().getByRole("link", { name: "Games" }).click();
  await page.getByRole("button", { name: "Favorite: Mines" }).click();
  const notice = page.getByRole("dialog");
  await expect(notice).toContainText("Please Register An Account First");
  await expect(notice.getByRole("button", { name: "Register" })).toBeVisible();
  await page.keyboard.press("Escape");
  await card(page, "Dice").getByRole("link").click();
  await expect(page).toHaveURL("/play/dice");
  await changeGames(page, { supportPlay: 1 });
  await page.goto("/rng");
  await expect(accountButton(page)).toBeVisible();
  await card(page, "Dice").getByRole("link").click();
  await expect(notice).toContainText("Please Register An Account First");
});

test("a member keeps favorites, plays, and finds what was played", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/rng");
  const heart = page.getByRole("button", { name: "Favorite: Mines" });
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  const kept = page.waitForResponse((answer) => answer.request().method() === "POST");
  // A second press within a second is one too many.
  await heart.evaluate((button: HTMLElement) => {
    button.click();
    requestAnimationFrame(() => button.click());
  });
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await kept;
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "Favorites" }).click();
  await expect(cards(page)).toHaveCount(1);
  await page.waitForTimeout(1000);
  await page.getByRole("button", { name: "Favorite: Mines" }).click();
  await expect(page.getByRole("heading", { name: "No favorites yet" })).toBeVisible();
  await page.goto("/hot");
  await card(page, "Dice").getByRole("link").click();
  await expect(page).toHaveURL("/play/dice");
  await expect(page.locator("iframe")).toBeVisible();
  await page.goto("/recent");
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText("Dice");
});

test("a favorite that the server refuses is taken back", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/rng");
  await page.route(/\/lgw\/games\/favorites$/, (route) => route.abort());
  const heart = page.getByRole("button", { name: "Favorite: Keno" });
  await heart.click();
  await expect(page.getByText("Network link is abnormal")).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
});

test("a game under maintenance suggests others", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/");
  await changeGames(page, { maintenance: true });
  await page.goto("/rng");
  await expect(accountButton(page)).toBeVisible();
  await expect(cards(page).first()).toContainText("Maintenance");
  await page.unroute(/\/lgw\/games\?/);
  await card(page, "Mines").getByRole("link").click();
  const popup = page.getByRole("dialog");
  await expect(popup.getByRole("heading")).toHaveText("This game is being looked after");
  await expect(popup.locator(".game-card")).toHaveCount(6);
  await expect(popup.locator(".game-card").filter({ hasText: "Mines" })).toHaveCount(0);
  expect(await axeFindings(page)).toEqual([]);
});

test("a provider's entry opens the list of its games", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/");
  await changeGames(page, { isGame: "VASSALAGE", gameType: "LIVE" });
  await page.goto("/rng");
  await expect(accountButton(page)).toBeVisible();
  await expect(cards(page)).toHaveCount(12);
  await page.unroute(/\/lgw\/games\?/);
  await card(page, "Mines").getByRole("link").click();
  const popup = page.getByRole("dialog");
  await expect(popup.getByRole("heading")).toHaveText("Games of Capiz Studio");
  await expect(popup.locator(".game-card")).toHaveCount(12);
});

test("quick games are played over any page", async ({ page }) => {
  await openAs(page, await newPlayer(page), "/fairness");
  await page.getByRole("button", { name: "Quick" }).first().click();
  const popup = page.getByRole("dialog", { name: "Quick games" });
  await expect(popup.getByRole("button", { name: "Dice" })).toHaveAttribute("aria-pressed", "true");
  await expect(popup.locator("iframe")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(popup).toBeHidden();
  await expect(page).toHaveURL("/fairness");
});

test("the vendors of a category show beside its entry", async ({ page }) => {
  await page.goto("/");
  const rail = page.getByRole("navigation").first();
  // Who points at it before the page is alive points at it again.
  await expect(async () => {
    await page.mouse.move(640, 400);
    await rail.getByRole("link", { name: "Games" }).hover();
    await rail.getByRole("link", { name: /Capiz Studio/ }).click({ timeout: 5000 });
  }).toPass();
  await expect(page).toHaveURL("/rng?vassalage=CAPIZ");
  await expect(cards(page)).toHaveCount(12);
  await rail.getByRole("link", { name: "Hot" }).focus();
  await expect(rail.getByRole("link", { name: /Capiz Studio/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rail.getByRole("link", { name: /Capiz Studio/ })).toBeHidden();
});

test("the names of games follow the language", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".games")).toContainText("Coral Reef");
  await page.getByRole("banner").getByLabel("Language").selectOption("TY");
  await expect(page.locator(".games")).toContainText("Bahura ng Korales");
});

test("a long list goes on by itself", async ({ page }) => {
  await page.route(/\/lgw\/games\?/, async (route) => {
    const url = new URL(route.request().url());
    const no = Number(url.searchParams.get("pageNo"));
    const answer = await route.fetch();
    const body = (await answer.json()) as { value: { content: { nodeId: string }[] } };
    const content = Array.from({ length: 42 }, (_, index) => ({
      ...body.value.content[index % 12],
      nodeId: `game-${no}-${index}`,
    }));
    const value = { content, pageNum: no, totalPages: 3, total: 126 };
    await route.fulfill({ response: answer, json: { ...body, value } });
  });
  await page.goto("/rng");
  await expect(cards(page)).toHaveCount(42);
  // The page goes to its top once it has come, maybe after the key; and where pages come slowly, two may come at once.
  const end = async (least: number) => {
    await page.keyboard.press("End");
    expect(await cards(page).count()).toBeGreaterThanOrEqual(least);
  };
  await expect(() => end(84)).toPass();
  await expect(() => end(126)).toPass();
  await expect(cards(page)).toHaveCount(126);
  await expect(page.getByRole("button", { name: "Show more" })).toBeHidden();
});
