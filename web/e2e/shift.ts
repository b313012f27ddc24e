import type { Page } from "@playwright/test";

/** Counts how much the page moves by itself, from its beginning. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, "value") as number);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return (Reflect.get(globalThis, "shifts") as number[]).reduce((sum, one) => sum + one, 0);
  });
}
