import { test } from "@playwright/test";
test("probe", async ({ page }) => {
  page.on("console", (m) => console.log("CONSOLE", m.text()));
  page.on("pageerror", (e) => console.log("PAGEERROR", e.message));
  page.on("requestfailed", (r) => console.log("FAILED", r.url(), r.failure()?.errorText));
  const a = await page.goto("/");
  console.log(a?.status(), (await page.content()).slice(0, 600));
  await page.screenshot({ path: "/tmp/probe.png" });
  console.log(await page.evaluate(() => document.body.innerText.slice(0, 300)));
});
