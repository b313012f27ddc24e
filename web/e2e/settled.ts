import type { Locator, Page } from "@playwright/test";

/** The widths that every page is made for. */
export const widths = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

/** Asks for a theme as the device would, and waits until the page has it. */
export async function preferTheme(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor({ state: "attached" });
  await settled(page);
}

/** Waits until the page shows its final picture: fonts and images are there, nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const images = [...document.images].filter((image) => image.loading !== "lazy");
    // What waits for the answer to a question that lies over it is busy for as long as that is open.
    const covered = [...document.querySelectorAll("dialog:modal")].slice(0, -1);
    const busy = [...document.querySelectorAll("[aria-busy=true]")].filter(
      (one) => !covered.some((popup) => popup.contains(one)),
    );
    return images.every((image) => image.complete) && busy.length === 0;
  });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document.getAnimations().filter((one) => one.playState === "running");
    await Promise.all(
      ending.map((one) =>
        Number(one.effect?.getComputedTiming().endTime) < Number.POSITIVE_INFINITY
          ? one.finished.catch(() => undefined)
          : undefined,
      ),
    );
  });
}

/** Whether two things have a place on the screen in common. */
export async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const soon = { timeout: 5000 };
  const [a, b] = [await one.boundingBox(soon), await other.boundingBox(soon)];
  if (!a || !b) throw new Error("one of them is nowhere");
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  return !isApart;
}
