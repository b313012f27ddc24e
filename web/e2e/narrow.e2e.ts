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
  for (const width of [320, 390]) {
    test(`nothing is cut off at ${width} px in ${lang}`, async ({ page, context, baseURL }) => {
      await context.addCookies([{ name: "lang", value: lang, url: baseURL ?? "" }]);
      await page.setViewportSize({ width, height: 720 });
      for (const path of paths) {
        await page.goto(path);
        await expect(page.locator("main h1, dialog h2").first()).toBeVisible();
        if (path === "/login" || path === "/register") {
          await expect(page.locator("dialog form")).toBeVisible();
        }
        await settled(page);
        expect.soft(await page.evaluate(overhang), path).toBeLessThanOrEqual(0);
      }
    });
  }
}
