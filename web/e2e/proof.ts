import { type Page, type Route, expect } from "@playwright/test";
import { officeUrl } from "./site";

/** Has the page of the roles send something grave, and answers in the server's place that it wants a proof first. */
export async function askForProof(page: Page, reason: string): Promise<void> {
  await page.goto(`${officeUrl}/roles`);
  await askForProofHere(page, reason);
}

/** The same where that page is open. */
export async function askForProofHere(page: Page, reason: string): Promise<void> {
  await wantProof(page, "roles/*");
  await page.locator("main section button").first().click();
  await page.locator("dialog input[name=reason]").fill(reason);
  await page.locator("dialog form [type=submit]").click();
  await expect(page.locator("dialog input[name=password]")).toBeFocused();
}

const refusal = { success: false, code: "staff.proof_needed", message: "Show it once more" };

/** Answers such calls in the server's place: they want a proof first. Gives the way back. */
export async function wantProof(page: Page, calls: string): Promise<() => Promise<void>> {
  const url = `**/office/api/${calls}`;
  await page.route(url, (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 403, json: refusal }),
  );
  return () => page.unroute(url);
}

/** The same, but only when it is told to; that waits for the call, and until the page has the answer. */
export async function holdProof(page: Page, calls: string): Promise<() => Promise<void>> {
  const url = `**/office/api/${calls}`;
  let hold: (route: Route) => void = () => undefined;
  const held = new Promise<Route>((resolve) => {
    hold = resolve;
  });
  await page.route(url, (route) =>
    route.request().method() === "GET" ? route.fallback() : hold(route),
  );
  return async () => {
    const route = await held;
    const answered = page.waitForResponse((answer) => answer.request() === route.request());
    await route.fulfill({ status: 403, json: refusal });
    await answered;
  };
}
