import { type Page, type Route, expect } from "@playwright/test";
import { openAsOnlooker } from "./player";
import type { View } from "./views";

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("footer")).toBeAttached();
}

async function openAsMember(page: Page, path: string): Promise<void> {
  await openAsOnlooker(page, path);
  await expect(page.locator("main h1")).toBeVisible();
}

/** The document as it comes while the site is closed. */
export async function closeSite(page: Page, status: 1 | 2): Promise<void> {
  const tellClosed = async (route: Route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('"status":0', `"status":${status}`);
    await route.fulfill({ response: answer, body });
  };
  // The closed page asks again whether it is open: it is told what the document says. A question that is under way when
  // the test ends has no answer any more.
  for (const path of ["**/fairness", "**/wps/system/boot"]) {
    await page.route(path, (route) => tellClosed(route).catch(() => undefined));
  }
}

async function openClosed(page: Page, status: 1 | 2): Promise<void> {
  await closeSite(page, status);
  await page.goto("/fairness");
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("main .figures")).toBeVisible();
}

/** Presses the deposit button, which narrow screens have in the account's menu. */
async function askForMoney(page: Page): Promise<void> {
  await openAsMember(page, "/fairness");
  if ((page.viewportSize()?.width ?? 0) < 768) {
    await page.locator("[popovertarget=account-menu]").click();
    await page.locator("#account-menu button").first().click();
  } else {
    await page.locator("header button.bg-accent").click();
  }
  await expect(page.locator("dialog h2")).toBeVisible();
}

/** Presses the entry of the navigation, which narrow screens have in the drawer. */
async function openInvitation(page: Page): Promise<void> {
  await openAsMember(page, "/fairness");
  if ((page.viewportSize()?.width ?? 0) < 1024) {
    await page.locator(".bottom-bar button").last().click();
    await page.locator(".drawer li button").first().click();
  } else {
    await page.locator(".rail li button").first().click();
  }
  await expect(page.locator("dialog h2")).toBeVisible();
}

export const shellViews: readonly View[] = [
  { name: "closed-maintenance", open: (page) => openClosed(page, 1) },
  { name: "closed-region", open: (page) => openClosed(page, 2) },
  { name: "football", open: (page) => openPage(page, "/fbSports") },
  { name: "agent-door", open: (page) => openPage(page, "/agentHome") },
  { name: "agent-refused", open: (page) => openAsMember(page, "/agentHome") },
  { name: "lottery", open: (page) => openAsMember(page, "/lottery?gameCode=L649") },
  { name: "lottery-sea", open: (page) => openAsMember(page, "/seaLottery") },
  { name: "lottery-vn", open: (page) => openAsMember(page, "/vnLottery") },
  { name: "invite", popup: true, open: openInvitation },
  { name: "cashier", popup: true, open: askForMoney },
];
