import { layoutShift } from "../inspect";
import { settled, widths } from "../settled";
import { expect, test } from "../test";
import { views } from "../views";

for (const view of views) {
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
