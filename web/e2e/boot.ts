import type { Page } from "@playwright/test";

type Boot = Record<string, unknown>;

/** Lets the page start with other boot data than the server's; what is undefined is left out of them. */
export async function withBoot(page: Page, change: Boot): Promise<void> {
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replace(
        /(<script id="boot"[^>]*>)([^<]*)/,
        (_, tag: string, boot: string) => tag + JSON.stringify({ ...JSON.parse(boot), ...change }),
      );
      await route.fulfill({ response, body });
    },
  );
  await page.route("**/wps/system/boot", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { value: Boot };
    await route.fulfill({ response, json: { ...answer, value: { ...answer.value, ...change } } });
  });
}
