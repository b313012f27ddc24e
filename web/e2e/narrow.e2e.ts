import { expect, test } from "./test";
import { settled } from "./settled";

const paths = [
  "/",
  "/login",
  "/register",
  "/play/dice",
  "/rng",
  "/live",
  "/search",
  "/fairness",
  "/transactionHistory",
  "/proof",
  "/terms",
  "/verify",
  "/no/such/page",
];

/** How far what is shown sticks out of the window or of the popup, in pixels. */
function overhang(): number {
  const boxes = [document.documentElement, ...document.querySelectorAll("dialog:modal")];
  return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
}

for (const lang of ["EN", "TY"]) {
  test(`nothing is cut off on narrow screens in ${lang}`, async ({ page, context, baseURL }) => {
    await context.addCookies([{ name: "lang", value: lang, url: baseURL ?? "" }]);
    for (const path of paths) {
      await page.setViewportSize({ width: 320, height: 720 });
      await page.goto(path);
      await expect(page.locator("main h1, dialog h2").first()).toBeVisible();
      if (path === "/login" || path === "/register") {
        await expect(page.locator("dialog form")).toBeVisible();
      }
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 720 });
        await settled(page);
        expect.soft(await page.evaluate(overhang), `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });
}
