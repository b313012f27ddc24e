import { type Page, expect } from "@playwright/test";
import { officeUrl } from "./site";

/** Has the page of the roles send something grave, and answers in the server's place that it wants a proof first. */
export async function askForProof(page: Page, reason: string): Promise<void> {
  await page.goto(`${officeUrl}/roles`);
  await askForProofHere(page, reason);
}

/** The same where that page is open. */
export async function askForProofHere(page: Page, reason: string): Promise<void> {
  const refusal = { success: false, code: "staff.proof_needed", message: "Show it once more" };
  await page.route("**/office/api/roles/*", (route) =>
    route.fulfill({ status: 403, json: refusal }),
  );
  await page.locator("main section button").first().click();
  await page.locator("dialog input[name=reason]").fill(reason);
  await page.locator("dialog form [type=submit]").click();
  await expect(page.locator("dialog input[name=password]")).toBeFocused();
}
