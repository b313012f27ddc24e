import { type FrameLocator, type Page, expect, test } from "./test";
import { undisturbed } from "./alone";
import { axeFindings, expectWhole, watchFaults } from "./inspect";
import { gameOf, newPlayer, openAs } from "./player";
import { widths } from "./settled";

/** Our tables, and how to play each to an end; the rounds of those with steps are ended by `finish`. */
const tables: Readonly<Record<string, (game: FrameLocator) => Promise<void>>> = {
  dice: async () => undefined,
  limbo: async (game) => game.getByLabel("Wins from").fill("1.5"),
  mines: async () => undefined,
  plinko: async () => undefined,
  hilo: async () => undefined,
  wheel: async () => undefined,
  keno: async () => undefined,
  scratch: async () => undefined,
};
/** More than enough: no table wins or loses so many times in a row. */
const MOST_ROUNDS = 60;

const main = (game: FrameLocator) => game.locator(".plays .play");
const said = (game: FrameLocator) => game.locator("[aria-live]");

async function openTable(page: Page, code: string): Promise<FrameLocator> {
  await openAs(page, await newPlayer(page), `/play/${code}`);
  return ready(page);
}

async function ready(page: Page): Promise<FrameLocator> {
  await expect(page.locator("iframe")).toHaveCSS("opacity", "1");
  const game = gameOf(page);
  await expect(main(game)).toHaveAttribute("aria-busy", "false");
  return game;
}

const idle = (game: FrameLocator) => expect(main(game)).toHaveAttribute("aria-busy", "false");

async function chips(game: FrameLocator): Promise<number> {
  return game.locator(".chip").count();
}

/** Turns one shell over. */
async function turnShell(game: FrameLocator): Promise<void> {
  await game.locator(".tile[aria-disabled=false]").first().click();
  await idle(game);
}

/** Guesses what is more likely. */
async function guess(game: FrameLocator): Promise<void> {
  const up = await game.locator(".guess.up span").textContent();
  await game.locator(Number.parseFloat(up ?? "0") >= 50 ? ".guess.up" : ".guess.down").click();
  await idle(game);
}

const stepOf: Readonly<Record<string, (game: FrameLocator) => Promise<void>>> = {
  mines: turnShell,
  hilo: guess,
};

/** Plays one round to its end. A round with steps goes on until it is lost, or is cashed out where that is wanted. */
async function playRound(game: FrameLocator, code: string, cashOut: boolean): Promise<void> {
  const before = await chips(game);
  await main(game).click();
  await idle(game);
  const step = stepOf[code] ?? idle;
  while ((await game.locator("fieldset:disabled").count()) > 0) {
    if (cashOut && (await main(game).textContent())?.startsWith("Cash out")) {
      await main(game).click();
      await idle(game);
    } else await step(game);
  }
  await expect
    .poll(() => chips(game))
    .toBeGreaterThan(Math.min(before, 13) - (before > 13 ? 1 : 0));
}

/** Plays until a round ended so; a part of the stake that comes back is no win. */
async function playUntil(game: FrameLocator, code: string, ending: "won" | "lost"): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await playRound(game, code, ending === "won");
    const told = (await game.locator(".chip").first().getAttribute("class")) ?? "";
    if (told.includes("won") === (ending === "won")) return;
  }
  throw new Error(`${code} did not end as ${ending} in ${MOST_ROUNDS} rounds`);
}

/** Plays to a win on a phone, and to a loss on a wide page. */
async function playBoth(
  page: Page,
  code: string,
  prepare: (game: FrameLocator) => Promise<void>,
): Promise<void> {
  await page.setViewportSize(widths[0]);
  const faults = await watchFaults(page);
  const game = await openTable(page, code);
  await game.getByLabel("Stake", { exact: true }).fill("1");
  await prepare(game);
  await playUntil(game, code, "won");
  await expect(said(game)).toHaveText(/You won ₱/);
  await expectWhole(page);
  await page.setViewportSize(widths[1]);
  await playUntil(game, code, "lost");
  await expect(said(game)).toHaveText(/No win\.$|came back$/);
  await expect(page.locator("tbody tr").first()).toContainText("₱1.00");
  await expectWhole(page);
  expect(faults).toEqual([]);
}

for (const [code, prepare] of Object.entries(tables)) {
  test(`${code} is played to a win and a loss`, async ({ page }) => {
    // Luck decides how many rounds it takes.
    test.slow();
    await undisturbed(code, () => playBoth(page, code, prepare));
  });
}

async function readRules(page: Page, code: string): Promise<void> {
  const game = await openTable(page, code);
  await game.getByRole("button", { name: "Rules" }).click();
  const sheet = game.getByRole("dialog");
  await expect(sheet).toContainText("of what is staked");
  await expect(sheet).toContainText("A round pays at most");
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
}

for (const code of Object.keys(tables)) {
  test(`${code} explains itself: rules, payouts, return and limits`, async ({ page }) => {
    await undisturbed(code, () => readRules(page, code));
  });
}

for (const [code, step] of Object.entries(stepOf)) {
  test(`an open round of ${code} goes on after a reload`, async ({ page }) => {
    let game = await openTable(page, code);
    await game.getByLabel("Stake", { exact: true }).fill("1");
    // Until a first step succeeds: a lost round has nothing to go on with.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await main(game).click();
      await idle(game);
      await step(game);
      if ((await main(game).textContent())?.startsWith("Cash out")) break;
    }
    const worth = await main(game).textContent();
    await page.reload();
    game = await ready(page);
    await expect(main(game)).toHaveText(worth ?? "");
    await expect(game.locator(".result")).toContainText("goes on");
    await main(game).click();
    await idle(game);
    await expect(said(game)).toHaveText(/You won|came back/);
    await expect(page.locator("tbody tr").first()).toContainText("₱1.00");
  });
}

test("the keyboard alone turns shells over and cashes out", async ({ page }) => {
  const game = await openTable(page, "mines");
  await game.getByRole("slider").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await idle(game);
  await game.locator(".tile[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(game.locator(".tile").nth(6)).toBeFocused();
  await page.keyboard.press("Enter");
  await idle(game);
  await expect(game.locator(".tile").nth(6)).toHaveAccessibleName(/^(Pearl|Sea urchin), row 2/);
});

test("numbers are picked by keyboard, and ten at most", async ({ page }) => {
  const game = await openTable(page, "keno");
  await game.getByRole("button", { name: "Clear" }).click();
  await expect(game.getByText("Pick one to ten numbers")).toBeVisible();
  await expect(main(game)).toHaveAttribute("aria-disabled", "true");
  await game.locator(".ball").first().focus();
  for (let picked = 0; picked < 8; picked += 1) {
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("ArrowDown");
  for (let picked = 0; picked < 4; picked += 1) {
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowLeft");
  }
  await expect(game.locator(".ball[aria-pressed=true]")).toHaveCount(10);
});
