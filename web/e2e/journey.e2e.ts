import { createHmac } from "node:crypto";
import { type Page, expect, onPhones, test } from "./test";
import type { Round } from "../src/lib/api/types";
import { fillRegistration } from "./forms";
import {
  type Player,
  accountButton,
  gameOf,
  gameReady,
  newName,
  playerOf,
  rollInFrame,
} from "./player";

/** Pesos as the page writes them. */
const pesos = (amount: number) =>
  amount.toLocaleString("en", {
    style: "currency",
    currency: "PHP",
    currencyDisplay: "narrowSymbol",
  });

async function register(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Join", exact: true }).click();
  const form = page.getByRole("dialog");
  await fillRegistration(form, name);
  await form.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByText(`Welcome, ${name}! Your welcome credit of ₱1,000.00`)).toBeVisible();
  await expect(form).toHaveCount(0);
}

/** The roll by the published formula, worked out without any of the site's code. */
function rollOf({ seed, nonce }: Round): number {
  const key = Buffer.from(seed.serverSeed ?? "", "hex");
  for (let block = 0; ; block += 1) {
    const bytes = createHmac("sha256", key)
      .update(`${seed.clientSeed}:${nonce}:dice:${block}`)
      .digest();
    for (let at = 0; at < 32; at += 4) {
      const word = bytes.readUInt32BE(at);
      if (word < 4_294_960_000) return word % 10_000;
    }
  }
}

const shown = (roll: number) => (roll / 100).toFixed(2).padStart(5, "0");

async function expectListed(page: Page, round: Round): Promise<void> {
  const row = page.locator("tbody tr").first();
  const rolled = round.book.find((event) => event.type === "roll");
  await expect(row).toContainText(shown(Number(rolled?.["roll"])));
  await expect(row).toContainText(pesos(Number(round.stake)));
  await expect(row).toContainText(pesos(Number(round.payout)));
}

async function playAndCompare(page: Page, player: Player): Promise<Round> {
  const game = gameOf(page);
  await expect(game.locator(".balance")).toContainText("₱1,000.00");
  await game.getByLabel("Stake", { exact: true }).fill("25");
  await rollInFrame(page);
  const [round] = await player.rounds();
  if (!round) throw new Error("the server knows no round");
  expect(round.stake).toBe("25");
  const after = 1000 - Number(round.stake) + Number(round.payout);
  expect(Number((await player.balance()).balance)).toBeCloseTo(after, 4);
  await expect(game.locator(".balance")).toContainText(pesos(after));
  return round;
}

async function verify(page: Page, player: Player): Promise<void> {
  await page.locator("tbody tr").first().getByRole("link").click();
  await expect(page.getByText("The seed is still sealed")).toBeVisible();
  await page.getByLabel("Your next client seed").first().fill("isang-bagong-salita");
  await page.getByRole("button", { name: "Reveal" }).first().click();
  await expect(page.getByText("This round is fair")).toBeVisible();
  await expect(page.getByText("Equal", { exact: true })).toHaveCount(3);
  await expect(page.getByText("Different", { exact: true })).toHaveCount(0);
  const [revealed] = await player.rounds();
  if (!revealed) throw new Error("the server forgot the round");
  const rolled = revealed.book.find((event) => event.type === "roll");
  expect(rollOf(revealed)).toBe(rolled?.["roll"]);
  await expect(page.getByText(`the roll ${shown(rollOf(revealed))}`)).toBeVisible();
  await expect(page.getByText(revealed.seed.serverSeed ?? "none", { exact: true })).toBeVisible();
}

test("register, play, verify, log out", onPhones, async ({ page }) => {
  const name = newName();
  await register(page, name);
  await expect(page.getByTitle("Refresh the balance")).toContainText("₱1,000.00");
  const player = await playerOf(page, name);

  // Whoever has registered is shown what there is to be had.
  await expect(page).toHaveURL("/promotions");
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("link", { name: "Play now" }).click();
  await gameReady(page);
  const round = await playAndCompare(page, player);
  await expectListed(page, round);
  await verify(page, player);

  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(accountButton(page)).toBeVisible();
  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  const left = await page.evaluate(() => Object.keys(sessionStorage));
  // Copies of what everybody sees may be there again by now.
  expect(left.filter((key) => key !== "merchant" && !key.startsWith("copy/"))).toEqual([]);
});
