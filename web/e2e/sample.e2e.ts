import { join } from "node:path";
import { expect, test } from "./test";
import { preferTheme, widths } from "./settled";
import { views } from "./views";

const folder = join(import.meta.dirname, "../../var/look/sample");
const sample = new Set(["home", "dice-played", "verify-good", "login", "register"]);

for (const view of views.filter(({ name }) => sample.has(name))) {
  test(`pictures of ${view.name}`, async ({ page }) => {
    await view.open(page);
    for (const width of widths) {
      await page.setViewportSize(width);
      for (const colorScheme of ["dark", "light"] as const) {
        await preferTheme(page, colorScheme);
        const path = join(folder, `${view.name}-${width.width}-${colorScheme}.png`);
        expect((await page.screenshot({ path })).byteLength).toBeGreaterThan(5000);
      }
    }
  });
}
