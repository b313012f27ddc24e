import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page, expect, test } from "./test";
import { axeFindings, watchFaults } from "./inspect";

type Case = { game: string; serverSeed: string; nonce: number; payout: string | null };
const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../vectors/games.json"), "utf8"),
) as Case[];
const games = [...new Set(cases.map(({ game }) => game))];

/** The shared examples with the promises that a player would have. */
const rounds = cases.map((one) => {
  const commitment = createHash("sha256").update(Buffer.from(one.serverSeed, "hex"));
  return Object.assign(one, { commitment: commitment.digest("hex") });
});

/** Opens the checker from disk, without a server and without a network. */
async function openFromDisk(page: Page): Promise<string[]> {
  await page.context().setOffline(true);
  const faults = await watchFaults(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const address = pathToFileURL(
    join(import.meta.dirname, "../public/downloads/capiz-verifier.html"),
  ).href;
  await page.goto(address);
  expect(asked).toEqual([address]);
  return faults;
}

const box = (page: Page) => page.getByLabel("A round as JSON");
const check = (page: Page) => page.getByRole("button", { name: "Check", exact: true }).click();

for (const game of games) {
  test(`the checker on disk agrees with a round of ${game} and finds a changed one`, async ({
    page,
  }) => {
    const faults = await openFromDisk(page);
    const round = rounds.find((one) => one.game === game && one.payout !== null);
    await box(page).fill(JSON.stringify(round));
    await check(page);
    await expect(page.getByText("This round is fair")).toBeVisible();
    await expect(page.getByText("Equal")).toHaveCount(3);
    await box(page).fill(JSON.stringify({ ...round, payout: "123456.78" }));
    await check(page);
    await expect(page.getByText("This round does not add up")).toBeVisible();
    await expect(page.getByText("Recorded was a payout of 123456.78.")).toBeVisible();
    expect(faults).toEqual([]);
  });
}

test("a whole file is checked, and what does not add up comes first", async ({ page }, info) => {
  await openFromDisk(page);
  const [first, ...others] = rounds;
  const forged = { ...first, serverSeed: "11".repeat(32) };
  const file = info.outputPath("rounds.json");
  writeFileSync(file, JSON.stringify({ rounds: [...others, forged] }));
  await page.getByLabel("Or choose the file of your rounds").setInputFiles(file);
  await expect(
    page.getByText(`Rounds: ${rounds.length}. Fair: ${others.length}. Do not add up: 1.`),
  ).toBeVisible();
  await expect(page.getByText("This round does not add up")).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
});

test("the checker speaks both languages and says when there is nothing to check", async ({
  page,
}) => {
  await openFromDisk(page);
  await box(page).fill("no round");
  await check(page);
  await expect(page.getByRole("alert")).toContainText("There is no round in this text");
  await page.getByRole("button", { name: "Tagalog" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Suriin sa sarili mong computer",
  );
  await expect(page.getByRole("alert")).toContainText("Walang round sa tekstong ito");
});
