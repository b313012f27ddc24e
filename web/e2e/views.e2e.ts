import { expect, test } from "./test";
import { axeFindings, layoutShift, smallTargets, untranslated, watchFaults } from "./inspect";
import { preferTheme, settled, widths } from "./settled";
import { views } from "./views";

/**
 * A refused log-in, a page that is not there and an office that nobody has entered are answered with such a status, as
 * they should.
 */
const expected = /the server responded with a status of 40[014]/;

/**
 * Measured to stand still, also on a machine four times slower; others join once they are. The home page and the pages of
 * content have tests of their own.
 */
const still = new Set([
  "dice",
  "login-mobile",
  "office-content",
  "office-desk",
  "office-jobs",
  "office-member",
  "office-member-sessions",
  "office-member-wallet",
  "office-members",
  "office-roles",
  "office-trail",
  "proof-member",
  "verify-good",
  "verify-new",
]);

for (const view of views) {
  test(`${view.name}: no fault, no barrier, nothing too small`, async ({ page }) => {
    const faults = await watchFaults(page);
    if (view.phone) await page.setViewportSize(widths[0]);
    await view.open(page);
    await settled(page);
    expect.soft(faults.filter((fault) => !expected.test(fault))).toEqual([]);
    if (still.has(view.name)) {
      const { shift, moved } = await layoutShift(page);
      expect.soft(shift, `what moved: ${moved.join("; ")}`).toBeLessThanOrEqual(0.02);
    }
    await page.setViewportSize(widths[0]);
    expect.soft(await smallTargets(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, "scrolls sideways at 390 px").toBeLessThanOrEqual(0);
    expect.soft(await axeFindings(page), "dark, 390 px").toEqual([]);
    if (!view.phone) await page.setViewportSize(widths[1]);
    await preferTheme(page, "light");
    expect.soft(await axeFindings(page), "light").toEqual([]);
  });

  test(`${view.name}: every text is translated`, async ({ page }) => {
    await page.addInitScript(() => {
      if (self.origin !== "null") localStorage.setItem("pseudo", "1");
    });
    await view.open(page);
    await settled(page);
    expect.soft(await untranslated(page)).toEqual([]);
  });
}
