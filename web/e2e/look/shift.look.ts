import { layoutShift } from "../inspect";
import { settled, widths } from "../settled";
import { expect, test } from "../test";
import { views } from "../views";

/** What was sent is refused, and the form makes room for the reason and the captcha: an answer to a press, but a late one. */
const answers = new Set(["login-captcha", "login-question", "login-wrong"]);

for (const view of views.filter(({ name }) => !answers.has(name))) {
  for (const width of view.phone ? widths.slice(0, 1) : widths) {
    test(`${view.name} stands still at ${width.width} px`, async ({ page }) => {
      await page.setViewportSize(width);
      await view.open(page);
      await settled(page);
      const { shift, moved } = await layoutShift(page);
      expect(shift, `what moved: ${moved.join("; ")}`).toBeLessThanOrEqual(0.02);
    });
  }
}
