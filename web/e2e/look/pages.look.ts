import { join } from "node:path";
import { type Page, test } from "../test";
import { preferTheme, widths } from "../settled";
import { type View, views } from "../views";

const folder = join(import.meta.dirname, "../../../var/look");
const languages = ["EN", "TY", "pseudo"] as const;
const themes = ["dark", "light"] as const;

async function speak(page: Page, language: (typeof languages)[number]): Promise<void> {
  await page.addInitScript((chosen) => {
    if (self.origin === "null") return;
    localStorage.setItem("lang", chosen === "TY" ? "TY" : "EN");
    if (chosen === "pseudo") localStorage.setItem("pseudo", "1");
  }, language);
}

/** In a picture of the whole page a fixed bar would stand in its middle. */
async function unpinBar(page: Page): Promise<void> {
  await page.evaluate(() => {
    const bar = document.querySelector<HTMLElement>(".bottom-bar");
    if (bar) bar.style.position = "static";
  });
}

async function takePictures(page: Page, view: View, language: string): Promise<void> {
  for (const width of view.phone ? widths.slice(0, 1) : widths) {
    await page.setViewportSize(width);
    for (const colorScheme of themes) {
      await preferTheme(page, colorScheme);
      const name = `${view.name}-${width.width}-${colorScheme}-${language}.png`;
      await page.screenshot({ path: join(folder, name), fullPage: !view.popup });
    }
  }
}

for (const view of views) {
  for (const language of languages) {
    test(`${view.name} in ${language}`, async ({ page }) => {
      await page.clock.setFixedTime("2026-11-15T12:14:05Z");
      await speak(page, language);
      await view.open(page);
      if (!view.popup) await unpinBar(page);
      await takePictures(page, view, language);
    });
  }
}
