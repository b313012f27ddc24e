import { expect, test } from "./test";
import { valueOf } from "./player";
import { settled, widths } from "./settled";
import { shiftOf, watchShift } from "./shift";

type Card = { slug: string; type: string; title: string };

test("promotions are sorted by kind, and each has its page", async ({ page }) => {
  const answer = await page.context().request.get("/wps/promotions?type=ALL&language=EN");
  const cards = await valueOf<Card[]>(answer);
  await page.goto("/promotions");
  const kinds = page.getByRole("navigation", { name: "Kinds of promotions" }).getByRole("link");
  await expect(kinds).toHaveCount(14);
  const list = page.locator("main article");
  await expect(list).toHaveCount(cards.length);

  await page.getByRole("link", { name: "Rebate", exact: true }).click();
  await expect(page).toHaveURL(/type=REBATE/);
  const rebates = cards.filter(({ type }) => type === "REBATE");
  await expect(list).toHaveCount(rebates.length);

  await list.getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/promotions/${rebates[0]?.slug}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(rebates[0]?.title ?? "");
  await expect(page.getByRole("heading", { name: "Terms of this promotion" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Rebate", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("a promotion that is over says so", async ({ page }) => {
  await page.goto("/promotions/no-such-thing");
  await expect(page.getByText("This promotion is over")).toBeVisible();
  await page.getByRole("link", { name: "See all promotions" }).click();
  await expect(page.locator("main article").first()).toBeVisible();
});

test("a kind without promotions leads to the others", async ({ page }) => {
  await page.route("**/wps/promotions?*", (route) =>
    route.fulfill({ json: { success: true, message: null, value: [] } }),
  );
  await page.goto("/promotions?type=FISH");
  await expect(page.getByText("Nothing of this kind now")).toBeVisible();
});

for (const width of widths) {
  test(`the promotions stand still at ${width.width} px`, async ({ page }) => {
    await page.setViewportSize(width);
    await watchShift(page);
    await page.goto("/promotions");
    await expect(page.locator("main article").first()).toBeVisible();
    await settled(page);
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);
  });
}
