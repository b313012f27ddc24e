import { readFileSync } from "node:fs";
import { type Page, expect, test } from "./test";
import type { Round } from "@/lib/api/types";
import { undisturbed } from "./alone";
import { axeFindings } from "./inspect";
import { type Player, newPlayer, openAs } from "./player";

/** A choice of each game; those of several steps are played to their end below. */
const choices: readonly (readonly [game: string, choice: object])[] = [
  ["dice", { target: 5000, direction: "under" }],
  ["limbo", { target: 150 }],
  ["mines", { mines: 3 }],
  ["plinko", { rows: 8, risk: "high" }],
  ["hilo", {}],
  ["wheel", { segments: 20, risk: "medium" }],
  ["keno", { picks: [7, 8, 9] }],
  ["scratch", {}],
  ["reef", {}],
  ["windows", {}],
  ["sari", {}],
  ["fiesta", {}],
];

/** Plays a round to its end. */
async function playOut(player: Player, game: string, choice: object): Promise<Round> {
  let round = await player.play(game, "5", choice);
  if (round.state === "over") return round;
  round = await player.act(round, game === "mines" ? { pick: 12 } : "higher");
  return round.state === "over" ? round : player.act(round, "cashOut");
}

async function expectFair(page: Page, id: string): Promise<void> {
  await page.goto(`/verify/${id}`);
  await expect(page.getByText("This round is fair")).toBeVisible();
  await expect(page.getByText("Equal", { exact: true })).toHaveCount(3);
}

test("rounds of every game are listed, revealed, checked and kept", async ({ page }) => {
  const player = await newPlayer(page);
  const rounds: Round[] = [];
  for (const [game, choice] of choices) {
    await undisturbed(game, async () => void rounds.push(await playOut(player, game, choice)));
  }
  const [first] = rounds;
  if (!first) throw new Error("no round");

  await openAs(page, player, `/verify/${first.id}`);
  await expect(page.getByText("The seed is still sealed")).toBeVisible();
  const list = page.getByRole("list", { name: "My rounds" });
  await expect(list.getByRole("link")).toHaveCount(choices.length);
  await page.getByLabel("Rounds of which game").selectOption("keno");
  await expect(list.getByRole("link")).toHaveCount(1);
  await page.getByRole("button", { name: "Reveal the seed and check" }).click();
  await expect(page.getByText("This round is fair")).toBeVisible();
  for (const { id } of rounds) await expectFair(page, id);
  expect(await axeFindings(page)).toEqual([]);

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save my rounds" }).click();
  const file = readFileSync(await (await saving).path(), "utf8");
  expect((JSON.parse(file) as { rounds: Round[] }).rounds).toHaveLength(choices.length);
  await page.goto("/verify");
  await page.getByLabel("A round as JSON").fill(file);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText(`Rounds: ${choices.length}. Fair: ${choices.length}.`)).toBeVisible();
});

test("seeds cannot be changed while a round is open, and it says so", async ({ page }) => {
  const player = await newPlayer(page);
  await player.play("mines", "5", { mines: 3 });
  await openAs(page, player, "/verify");
  await page.getByRole("button", { name: "Reveal and change seeds" }).click();
  await expect(page.getByText("You have a round that is not over. Finish it first.")).toBeVisible();
});

test("a record that was changed is shown where it differs", async ({ page }) => {
  const player = await newPlayer(page);
  const { id } = await player.play("wheel", "5", { segments: 10, risk: "low" });
  await player.rotateSeed("another");
  const [round] = await player.rounds();
  if (round?.id !== id) throw new Error("no round");
  const [stop, payout] = round.book;
  const forged = { ...round, book: [{ ...stop, segment: 99 }, payout] };
  await openAs(page, player, "/verify");
  await page.getByLabel("A round as JSON").fill(JSON.stringify(forged));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("This round does not add up")).toBeVisible();
  await expect(page.getByText("Recorded was: The wheel stopped at segment 100.")).toBeVisible();
});

test("a visitor works a round out by hand, of any game", async ({ page }) => {
  await page.goto("/verify");
  await page.getByText("Type the data in instead").click();
  await page.getByLabel("Game", { exact: true }).selectOption("keno");
  await page.getByRole("button", { name: "Calculate" }).click();
  await expect(page.getByLabel("Chosen numbers")).toHaveAccessibleDescription(/1 to 10 different/);
  await page.getByLabel("Chosen numbers").fill("1 2 3");
  await page.getByLabel("Server seed").fill("ab".repeat(32));
  await page.getByLabel("Client seed", { exact: true }).fill("mine");
  await page.getByRole("button", { name: "Calculate" }).click();
  await expect(page.getByText(/^Drawn: /)).toBeVisible();
  await expect(page.getByText(/^Pays /)).toBeVisible();
});

test("the checker is saved, not opened", async ({ page }) => {
  await page.goto("/verify");
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save the checker" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("capiz-verifier.html");
  expect(readFileSync(await saved.path(), "utf8")).toContain("default-src 'none'");
});

test("a round of earlier is watched again, and nothing is staked", async ({ page }) => {
  const player = await newPlayer(page);
  const round = await player.play("plinko", "5", { rows: 8, risk: "low" });
  const before = await player.balance();
  await openAs(page, player, `/verify/${round.id}`);
  await page.getByRole("link", { name: "Watch it again" }).click();
  await expect(page).toHaveURL(`/play/plinko?round=${round.id}`);
  const result = page.frameLocator("iframe").locator(".result");
  await expect(result).toContainText(/Payout|came back|No win/);
  expect(await player.rounds()).toHaveLength(1);
  expect((await player.balance()).balance).toBe(before.balance);
});
