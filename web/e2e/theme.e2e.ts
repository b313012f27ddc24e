import { type Page, expect, test } from "./test";

/** Notes which theme is set at the moment when there is something to paint. */
async function noteFirstTheme(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (self.origin === "null") return;
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      Object.assign(globalThis, { firstTheme: document.documentElement.dataset["theme"] });
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
}

const firstTheme = (page: Page) => page.evaluate(() => Reflect.get(globalThis, "firstTheme"));
const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

for (const path of ["/", "/verify"]) {
  test(`${path} has its theme before the first paint`, async ({ page }) => {
    await noteFirstTheme(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(path);
    expect(await firstTheme(page)).toBe("light");
    const light = await background(page);
    await page.evaluate(() => localStorage.setItem("theme", "dark"));
    await page.reload();
    expect(await firstTheme(page)).toBe("dark");
    expect(await background(page)).not.toBe(light);
  });
}

test("a switched theme survives a reload", async ({ page }) => {
  await noteFirstTheme(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Switch to the light theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.reload();
  expect(await firstTheme(page)).toBe("light");
  await page.getByRole("button", { name: "Switch to the dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
