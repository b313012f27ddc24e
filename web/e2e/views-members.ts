import { type Page, expect } from "@playwright/test";
import { type Colleague, openOffice } from "./office";
import type { View } from "./views";

/** Looks for a member: whoever is looked for is in no address. */
async function findMember(page: Page, who: Colleague, text: string): Promise<void> {
  await openOffice(page, who, "/members");
  await page.locator("main search input").fill(text);
}

/** The office's page of a member that every new installation has. */
async function openMaria(page: Page, tab?: string): Promise<void> {
  await findMember(page, "admin", "maria");
  const found = page.locator("main tbody th a").first();
  await expect(found).toHaveText("maria");
  await found.click();
  await expect(page.locator("main nav a").first()).toBeVisible();
  if (tab) await page.goto(`${page.url()}?tab=${tab}`);
  await expect(page.locator("main :is(dl, tbody tr, p)").first()).toBeVisible();
}

async function openTransfer(page: Page): Promise<void> {
  await openMaria(page, "wallet");
  await page.locator("main tbody th a").first().click();
  await expect(page.locator("dialog [role=status] svg")).toBeVisible();
}

async function openRound(page: Page): Promise<void> {
  await openMaria(page, "rounds");
  await page.locator("main tbody th a").first().click();
  await expect(page.locator("main section li")).not.toHaveCount(0);
}

/** The n-th of the buttons that act on an account. */
async function openDeed(page: Page, index: number): Promise<void> {
  await openMaria(page);
  await page.locator("main header button:not([aria-label])").nth(index).click();
  await expect(page.locator("dialog h2")).toBeVisible();
}

export const memberViews: readonly View[] = [
  {
    name: "office-members",
    open: async (page) => {
      await findMember(page, "support", "maria");
      await expect(page.locator("main tbody th a").first()).toHaveText("maria");
    },
  },
  {
    name: "office-members-none",
    open: async (page) => {
      await findMember(page, "support", "nobody-has-this-name");
      await expect(page.locator("main p.border-y")).toBeVisible();
    },
  },
  { name: "office-member", open: (page) => openMaria(page) },
  { name: "office-member-wallet", open: (page) => openMaria(page, "wallet") },
  { name: "office-member-rounds", open: (page) => openMaria(page, "rounds") },
  { name: "office-member-sessions", open: (page) => openMaria(page, "sessions") },
  { name: "office-member-trail", open: (page) => openMaria(page, "trail") },
  { name: "office-transfer", popup: true, open: openTransfer },
  { name: "office-round", open: openRound },
  { name: "office-freeze", popup: true, open: (page) => openDeed(page, 0) },
  { name: "office-correction", popup: true, open: (page) => openDeed(page, 4) },
];
