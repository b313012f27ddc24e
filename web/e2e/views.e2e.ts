import { type Page, expect, test } from "./test";
import {
  axeFindings,
  layoutShift,
  showKeys,
  smallTargets,
  untranslated,
  watchFaults,
} from "./inspect";
import { preferTheme, settled, widths } from "./settled";
import { type View, views } from "./views";

/** A refused log-in, a page that is not there and an office that nobody has entered are answered so, as they should. */
const refused = /the server responded with a status of 40[014]/;

/** So is what wants a proof first, where that is what one looks at. */
const unproved = /the server responded with a status of 403/;

function isExpected(fault: string, { name }: View): boolean {
  return refused.test(fault) || (name === "office-proof" && unproved.test(fault));
}

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

async function expectNoBarrier(page: Page, look: string): Promise<void> {
  expect.soft(await axeFindings(page), look).toEqual([]);
}

/** How the page is on a phone, and in the other theme at the width that it was opened at. */
async function lookAround(page: Page, view: View): Promise<void> {
  await page.setViewportSize(widths[0]);
  expect.soft(await smallTargets(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, "scrolls sideways at 390 px").toBeLessThanOrEqual(0);
  await expectNoBarrier(page, "dark, 390 px");
  if (!view.phone) await page.setViewportSize(widths[1]);
  await preferTheme(page, "light");
  await expectNoBarrier(page, "light");
}

for (const view of views) {
  const texts = view.told ? "" : ", every text translated";
  test(`${view.name}: no fault, no barrier, nothing too small${texts}`, async ({ page }) => {
    const faults = await watchFaults(page);
    if (view.phone) await page.setViewportSize(widths[0]);
    await view.open(page);
    await settled(page);
    expect.soft(faults.filter((fault) => !isExpected(fault, view))).toEqual([]);
    if (still.has(view.name)) {
      const { shift, moved } = await layoutShift(page);
      expect.soft(shift, `what moved: ${moved.join("; ")}`).toBeLessThanOrEqual(0.02);
    }
    await lookAround(page, view);
    if (view.told) return;
    await showKeys(page);
    await settled(page);
    expect.soft(await untranslated(page)).toEqual([]);
  });
}

for (const view of views.filter(({ told }) => told)) {
  test(`${view.name}: every text is translated`, async ({ page }) => {
    await page.addInitScript(() => {
      if (self.origin !== "null") localStorage.setItem("pseudo", "1");
    });
    await view.open(page);
    await settled(page);
    expect.soft(await untranslated(page)).toEqual([]);
  });
}
