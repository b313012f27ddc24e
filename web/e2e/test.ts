import { type Browser, type BrowserContext, type Page, test as base } from "@playwright/test";

export * from "@playwright/test";

/** Of a test that is done at the width of a phone as well: what it looks at is another there. */
export const onPhones = { tag: "@phone" };

type Options = {
  /** Whether the announcements of the session come; they would lie over what a test looks at. */
  announces: boolean;
};

/** Where a page keeps that the announcements of its session were closed. */
const closed = ["USER_POPUP", "ANONYMOUS_POPUP"];

/** Lets every page find that its announcements were closed before. */
async function keepQuiet(context: BrowserContext): Promise<void> {
  await context.addInitScript((keys) => {
    if (self.origin !== "null") for (const key of keys) sessionStorage.setItem(key, "closed");
  }, closed);
}

/** The same for who logs in again on a page that is open: leaving has forgotten it. */
export async function hush(page: Page): Promise<void> {
  await page.evaluate((keys) => {
    for (const key of keys) sessionStorage.setItem(key, "closed");
  }, closed);
}

/** Takes that back, for the page's next loads. */
export async function announceAgain(page: Page): Promise<void> {
  await page.addInitScript((keys) => {
    if (self.origin !== "null") for (const key of keys) sessionStorage.removeItem(key);
  }, closed);
}

export const test = base.extend<Options>({
  announces: [false, { option: true }],
  context: async ({ context, announces }, use) => {
    if (!announces) await keepQuiet(context);
    await use(context);
  },
});

/** A page in a browser of somebody else: nothing is shared with the test's own. */
export async function strangersPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  await keepQuiet(context);
  return context.newPage();
}
