import type { Page } from "@playwright/test";

/** Opens an empty page of a site, from which its calls can be made. Its files' own policy would allow none. */
export async function openBlank(page: Page, origin: string): Promise<void> {
  const address = `${origin}/blank`;
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await page.goto(address);
  await page.unroute(address);
}
