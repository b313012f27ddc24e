import { expect, test } from "./test";
import { settled, widths } from "./settled";

test.use({ reducedMotion: "no-preference" });

for (const width of widths) {
  test(`the home page is light and stands still at ${width.width} px`, async ({ page }) => {
    await page.setViewportSize(width);
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, "value") as number);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto("/");
    await expect(page.locator(".winner").first()).toBeVisible();
    await settled(page);
    // Long enough for a banner to change and for a winner to pass.
    await page.waitForTimeout(6500);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(900);
    const shift = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return (Reflect.get(globalThis, "shifts") as number[]).reduce((sum, one) => sum + one, 0);
    });
    expect(shift).toBeLessThanOrEqual(0.02);
  });
}

test("no banner breaks a word, at any width", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".slide").nth(3)).toBeAttached();
  for (const width of [320, 390, 768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    const broken = await page.locator(".banner-words > .display").evaluateAll((titles) =>
      titles.flatMap(({ firstChild: text }) =>
        [...(text?.textContent ?? "").matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          if (!text) return [];
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        }),
      ),
    );
    expect.soft(broken, `${width} px`).toEqual([]);
  }
});

test.describe("without any answer", () => {
  test.beforeEach(({ page }) => page.route(/\/(wps|lgw)\//, (route) => route.abort()));

  test("the home page is useful", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "The house you can see through",
    );
    await expect(page.getByRole("link", { name: "Play now" })).toBeVisible();
    await expect(page.getByRole("navigation").first().getByRole("link")).toHaveCount(7);
    await expect(page.getByText("The winners could not be loaded.")).toBeVisible();
    await page.getByRole("link", { name: "Play now" }).click();
    await expect(page.getByRole("button", { name: "Log in to play" })).toBeVisible();
  });

  test("a log-in says in words that the line is down", async ({ page }) => {
    await page.goto("/login");
    const form = page.getByRole("dialog");
    await form.getByLabel("Username", { exact: true }).fill("maria");
    await form.getByLabel("Password", { exact: true }).fill("maria-sees-through");
    await page.getByRole("dialog").getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveText("Network link is abnormal, please try again");
    await page.unroute(/\/(wps|lgw)\//);
    await page.getByRole("dialog").getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page.getByRole("button", { name: "Account of maria" })).toBeVisible();
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("headline, way to play and navigation are in the document", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("link", { name: "Play now" })).toBeVisible();
    await expect(page.getByRole("navigation").first()).toBeVisible();
  });
});
