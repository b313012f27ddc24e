import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page, expect, test } from "./test";
import type { TransferPage } from "../src/lib/api/types";
import type { InclusionProof } from "../src/lib/ledger/inclusion";
import type { Transfer } from "../src/lib/ledger/transfer";
import { type Player, accountButton, logInAsMaria, newPlayer, openAs, password } from "./player";
import { openTotals } from "./views";

const uuid = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex");

function i64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

function units(text: string): bigint {
  const [whole = "", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(4, "0"));
}

function optional(value: Buffer | null): Buffer {
  if (value === null) return Buffer.from([0]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.from([1]), length, value]);
}

const after = (text: string | null) => optional(text === null ? null : i64(units(text)));
const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** Microseconds since 1970; the fraction has 0, 3 or 6 digits. */
function micros(at: string): bigint {
  const [second = "", fraction = ""] = at.replace("Z", "").split(".");
  return BigInt(Date.parse(`${second}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

/** The hash of a transfer by the published layout, worked out without any of the site's code. */
function hashOf(row: Transfer, record: TransferPage, previous: Buffer): Buffer {
  return sha256(
    previous,
    uuid(record.holderId),
    i64(BigInt(row.seq)),
    uuid(record.merchantId),
    ...[row.currency, row.debit, row.credit, row.kind].map((text) => optional(Buffer.from(text))),
    i64(units(row.amount)),
    optional(row.key === null ? null : Buffer.from(row.key)),
    optional(row.bodyHash === null ? null : Buffer.from(row.bodyHash, "hex")),
    uuid(row.reference),
    after(row.debitAfter),
    after(row.creditAfter),
    i64(micros(row.at)),
    ...(row.reverses === null ? [] : [Buffer.from([1]), i64(BigInt(row.reverses))]),
  );
}

function expectChained(record: TransferPage): void {
  let previous: Buffer = Buffer.alloc(32);
  for (const row of record.content) {
    previous = hashOf(row, record, previous);
    expect(previous.toString("hex"), `row ${row.seq}`).toBe(row.hash);
  }
  expect(record.head).toEqual({ seq: record.content.length, hash: previous.toString("hex") });
}

async function playedMember(page: Page): Promise<Player> {
  const player = await newPlayer(page);
  await player.rollDice("25", 4000);
  await player.win();
  return player;
}

const checkNow = (page: Page) => page.getByRole("button", { name: "Check now" }).click();

test("a visitor logs in and comes back to the record", async ({ page }) => {
  const { name } = await newPlayer(page);
  await page.goto("/transactionHistory");
  await expect(page).toHaveURL(/\/login\?next=/);
  const form = page.getByRole("dialog");
  await form.getByLabel("Username", { exact: true }).fill(name);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(accountButton(page)).toBeVisible();
  await expect(page).toHaveURL("/transactionHistory");
  await expect(page.getByText("Welcome gift from the house")).toBeVisible();
});

test("a member reads the record and the browser proves it", async ({ page }) => {
  const player = await playedMember(page);
  const record = await player.transfers();
  expectChained(record);
  await openAs(page, player, "/");
  await accountButton(page).click();
  await page.getByRole("link", { name: "Account record" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account record");

  const rows = page.locator("main ul > li");
  await expect(rows).toHaveCount(record.content.length);
  await expect(rows.last()).toContainText("Welcome gift from the house");
  await expect(rows.last()).toContainText("+₱1,000.00");
  await expect(rows.first()).toContainText("Payout of a game");
  await rows.first().locator("summary").click();
  await expect(rows.first()).toContainText(record.content.at(-1)?.at ?? "none");

  await checkNow(page);
  await expect(page.getByText("Your record is whole")).toBeVisible();
  await expect(page.getByText(`Entries checked: ${record.head.seq}. All are there`)).toBeVisible();
  await expect(page.getByText("This browser now remembers")).toBeVisible();
  await player.rollDice("1", 4000);
  await checkNow(page);
  await expect(page.getByText(`The entries up to ${record.head.seq}, which`)).toBeVisible();

  await rows.filter({ hasText: "Stake in a game" }).first().locator("summary").click();
  await page.getByRole("link", { name: "Check this round" }).last().click();
  await expect(page).toHaveURL(/\/verify\/[0-9a-f-]{36}$/);
  await expect(page.getByText("The seed is still sealed")).toBeVisible();
});

test("the downloaded record can be checked without the site", async ({ page }) => {
  const player = await playedMember(page);
  await openAs(page, player, "/transactionHistory");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await (await saving).path();
  const saved = JSON.parse(await readFile(file, "utf8")) as TransferPage;
  expectChained(saved);
  expect(saved.content).toEqual((await player.transfers()).content);
  const program = join(import.meta.dirname, "../scripts/verify-statement.mjs");
  const said = execFileSync(process.execPath, [program, file], { encoding: "utf8" });
  expect(said).toContain(`HOLDS: ${saved.head.seq} entries`);
  expect(said).toContain(`Balance of main PHP: ${(await player.balance()).balance}\n`);
});

test("a changed entry is found and named", async ({ page }) => {
  const player = await playedMember(page);
  await page.route(/\/wallets\/transfers\?.*after=/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { value: TransferPage };
    for (const row of body.value.content) if (row.seq === 2) row.amount = "24.99";
    await route.fulfill({ response: answer, json: body });
  });
  await openAs(page, player, "/transactionHistory");
  await checkNow(page);
  await expect(page.getByText("Your record does not add up")).toBeVisible();
  await expect(page.getByText("Entry 2 was changed")).toBeVisible();
});

test("a record that was rewritten as a whole is found by whoever checked before", async ({
  page,
}) => {
  const player = await playedMember(page);
  const { holderId } = await player.transfers();
  await openAs(page, player, "/transactionHistory");
  await page.evaluate(
    ([key, value]) => localStorage.setItem(key ?? "", value ?? ""),
    [`record:${holderId}`, `2 ${"ab".repeat(32)}`],
  );
  await checkNow(page);
  await expect(page.getByText("Entry 2 is not the one that this browser checked")).toBeVisible();
});

test("what the house owes is open to everybody", async ({ page }) => {
  await page.goto("/fairness");
  await page.locator("main").getByRole("link", { name: "What the house owes" }).click();
  await expect(page).toHaveURL("/proof");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What the house owes");
  // A new house has no total before its first midnight.
  await expect(page.getByText("No total yet").or(page.locator("main dl").first())).toBeVisible();
});

test("a day beyond all calendars is refused, not a fault", async ({ request }) => {
  for (const day of ["-262143-01-01", "%2B262142-12-31"]) {
    expect((await request.get(`/wps/v2/proofs?before=${day}`)).status()).toBe(400);
  }
});

/** A tree of two made here: a day must not pass before this can be tested. */
function treeOfTwo(holderId: string): InclusionProof {
  const [balance, other] = ["990.5", "12.25"] as const;
  const salt = Buffer.alloc(32, 7);
  const leaf = sha256(Buffer.from([0]), salt, uuid(holderId), i64(units(balance)));
  const neighbour = sha256(Buffer.from("a neighbour"));
  const root = sha256(Buffer.from([1]), neighbour, i64(units(other)), leaf, i64(units(balance)));
  return {
    day: "2026-11-14",
    currency: "PHP",
    holderId,
    balance,
    salt: salt.toString("hex"),
    steps: [{ side: "left", hash: neighbour.toString("hex"), sum: other }],
    root: root.toString("hex"),
    total: "1002.75",
    leaves: 2,
  };
}

async function publish(page: Page, proof: InclusionProof, madeAt = "2026-11-14T16:00:05Z") {
  const { day, currency, root, total, leaves } = proof;
  const content = [{ day, currency, root, total, leaves, madeAt }];
  await page.route(/\/wps\/v2\/proofs/, (route) =>
    route.fulfill({ json: { success: true, message: null, value: { content, next: null } } }),
  );
}

async function prove(page: Page, proof: InclusionProof) {
  await page.route(/\/wallets\/proof/, (route) =>
    route.fulfill({ json: { success: true, message: null, value: proof } }),
  );
}

test("a member sees that they are counted, step by step", async ({ page }) => {
  const player = await newPlayer(page);
  const proof = treeOfTwo((await player.transfers()).holderId);
  await publish(page, proof);
  await prove(page, proof);
  await openAs(page, player, "/proof");
  await expect(page.locator("main dl").first()).toContainText("₱1,002.75");
  await checkNow(page);
  await expect(page.getByText("You are counted")).toBeVisible();
  await page.getByText("Show every step").click();
  await expect(page.getByText("With the neighbour on the left")).toBeVisible();
  await expect(page.getByText(proof.root, { exact: true })).toHaveCount(2);
});

test("a proof for another root than the published one does not hold", async ({ page }) => {
  const player = await newPlayer(page);
  const proof = treeOfTwo((await player.transfers()).holderId);
  await publish(page, { ...proof, root: "ab".repeat(32) });
  await prove(page, proof);
  await openAs(page, player, "/proof");
  await checkNow(page);
  await expect(page.getByText("The proof does not hold")).toBeVisible();
  await expect(page.getByText("another root or total than the one published")).toBeVisible();
});

test("whoever joined later is told so", async ({ page }) => {
  const player = await newPlayer(page);
  await publish(page, treeOfTwo((await player.transfers()).holderId), "2020-01-01T16:00:05Z");
  // The answer is the server's own: this member is in no tree.
  await openAs(page, player, "/proof");
  await checkNow(page);
  await expect(page.getByText("You are not in this total yet")).toBeVisible();
});

test("whoever was left out is told that this is wrong", async ({ page }) => {
  const player = await newPlayer(page);
  await publish(page, treeOfTwo((await player.transfers()).holderId), "2100-01-01T16:00:05Z");
  await openAs(page, player, "/proof");
  await checkNow(page);
  await expect(page.getByText("You were left out")).toBeVisible();
});

test("the server's own proof holds for a member who was here before it was made", async ({
  page,
}) => {
  await logInAsMaria(page);
  await openTotals(page);
  await checkNow(page);
  await expect(page.getByText("You are counted")).toBeVisible();
});
