import { type FrameLocator, type Page, expect, test } from "./test";
import { axeFindings, expectWhole, watchFaults } from "./inspect";
import { gameOf, newPlayer, openAs } from "./player";
import { widths } from "./settled";

const machines = ["reef", "windows", "sari", "fiesta"] as const;
/** More than enough: no machine wins or loses so many times in a row. */
const MOST_ROUNDS = 60;

const main = (game: FrameLocator) => game.locator(".plays .play");
const said = (game: FrameLocator) => game.locator("main > [aria-live]");

async function open(page: Page, code: string): Promise<FrameLocator> {
  await openAs(page, await newPlayer(page), `/play/${code}`);
  await expect(page.locator("iframe")).toHaveCSS("opacity", "1");
  const game = gameOf(page);
  await expect(main(game)).toHaveText(/^Spin/);
  await game.getByLabel("Stake", { exact: true }).fill("1");
  return game;
}

/** Spins once and does not wait for the animation: the button that starts a round ends what it shows. */
async function spin(game: FrameLocator): Promise<void> {
  await game.locator(".history ol").evaluate((list) => {
    for (const chip of list.children) chip.classList.add("seen");
  });
  await main(game).click();
  await expect(async () => {
    if ((await main(game).textContent()) === "Skip") await main(game).click({ timeout: 1000 });
    expect(await game.locator(".chip:not(.seen)").count()).toBeGreaterThan(0);
  }).toPass({ timeout: 30_000 });
  await expect(main(game)).toHaveText(/^Spin/);
}

async function spinUntil(game: FrameLocator, ending: "won" | "lost"): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await spin(game);
    const first = game.locator(".chip").first();
    if ((await first.getAttribute("class"))?.includes(ending)) return;
  }
  throw new Error(`no round ${ending} in ${MOST_ROUNDS}`);
}

for (const code of machines) {
  test(`${code} is played to a win on a phone and to a loss on a wide page`, async ({ page }) => {
    // Luck decides how many rounds it takes.
    test.slow();
    await page.setViewportSize(widths[0]);
    const faults = await watchFaults(page);
    const game = await open(page, code);
    await spinUntil(game, "won");
    await expect(said(game)).toHaveText(/^\d+ .+(pays|paid) ₱.+You won ₱/);
    await expect(game.locator(".slots-win")).toContainText("₱");
    await expectWhole(page);
    await page.setViewportSize(widths[1]);
    await spinUntil(game, "lost");
    await expect(said(game)).toHaveText(/No win\.$/);
    await expect(page.locator("tbody tr").first()).toContainText("₱1.00");
    await expectWhole(page);
    expect(faults).toEqual([]);
  });

  test(`${code} shows every symbol with what it pays`, async ({ page }) => {
    const game = await open(page, code);
    await game.getByRole("button", { name: "Rules" }).click();
    const sheet = game.getByRole("dialog");
    await expect(sheet.getByText("Wild", { exact: true })).toBeVisible();
    const symbols = sheet.locator(".slots-pays > li");
    await expect(symbols).toHaveCount({ reef: 10, windows: 10, sari: 7, fiesta: 8 }[code]);
    await expect(symbols.locator("canvas")).toHaveCount(await symbols.count());
    await expect(sheet).toContainText("of what is staked");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
  });
}

for (const code of ["windows", "sari"]) {
  test(`${code} shows the jackpot that it feeds, and it grows`, async ({ page }) => {
    const game = await open(page, code);
    const pool = game.locator(".slots-pool-amount");
    await expect(pool).toBeVisible();
    const amount = async () => Number((await pool.textContent())?.replaceAll(/[^\d.]/g, ""));
    const before = await amount();
    await game.getByLabel("Stake", { exact: true }).fill("100");
    await spin(game);
    await expect.poll(amount, { timeout: 60_000 }).toBeGreaterThan(before);
  });
}

test("the keyboard alone spins, ends the animation, and plays quickly", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const game = await open(page, "reef");
  await main(game).focus();
  await page.keyboard.press("Enter");
  await expect(main(game)).toHaveText("Skip");
  await page.keyboard.press("Enter");
  await expect(main(game)).toHaveText(/^Spin/, { timeout: 20_000 });
  await page.keyboard.press("q");
  await expect(game.getByRole("switch", { name: "Quick play" })).toBeChecked();
});

test("without motion the grid is there at once, and read reel by reel", async ({ page }) => {
  const game = await open(page, "fiesta");
  await spin(game);
  const reels = game.locator(".room ul li");
  await expect(reels).toHaveCount(6);
  await expect(reels.first()).toHaveText(/^Reel 1: (\p{L}+ ?\p{L}*, ){5}\p{L}+ ?\p{L}*$/u);
});
