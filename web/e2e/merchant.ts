import type { Page } from "@playwright/test";
import { openOffice } from "./office";
import { siteUrl } from "./site";

export type Merchant = { id: string; code: string; url: string };

/**
 * A merchant of one's own, so that tests beside this one keep their site. Browsers know that names under `localhost`
 * are of this machine.
 */
export async function newMerchant(page: Page): Promise<Merchant> {
  const code = `e${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  await openOffice(page, "admin");
  const id = await page.evaluate(async (code) => {
    const answer = await fetch("/office/api/settings/merchants", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
      body: JSON.stringify({
        code,
        name: `House ${code}`,
        currency: "PHP",
        timeZone: "Asia/Manila",
        hosts: [`${code}.localhost`],
        reason: "a test needs a house",
      }),
    });
    return ((await answer.json()) as { value: string }).value;
  }, code);
  const url = new URL(siteUrl);
  url.hostname = `${code}.localhost`;
  return { id, code, url: url.origin };
}
