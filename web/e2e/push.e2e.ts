import { expect, strangersPage, test } from "./test";
import { gameReady, hearsNews, newPlayer, openAs, rollInFrame } from "./player";

test("a round in one tab moves the balance in another", async ({ page, context }) => {
  const player = await newPlayer(page);
  const other = await context.newPage();
  await openAs(other, player, "/");
  const shown = other.getByTitle("Refresh the balance");
  await expect(shown).toContainText("₱1,000.00");
  await openAs(page, player, "/play/dice");
  await gameReady(page);
  await rollInFrame(page);
  const { balance } = await player.balance();
  expect(balance).not.toBe("1000");
  await expect(shown).toContainText(
    Number(balance).toLocaleString("en", { minimumFractionDigits: 2 }),
  );
});

test("a win appears on a visitor's winners board", async ({ page, browser }) => {
  const visitor = await strangersPage(browser);
  const live = hearsNews(visitor);
  await visitor.goto("/");
  await live;
  const player = await newPlayer(page);
  const { payout } = await player.win("17.31");
  const entry = visitor.locator(".winner", { hasText: `₱${payout}` });
  await expect(entry).toContainText(`${player.name.slice(0, 2)}***`);
  await visitor.context().close();
});
