import { type Page, expect } from "@playwright/test";
import { openOffice } from "./office";

type View = { name: string; popup?: boolean; open: (page: Page) => Promise<void> };

const kinds = [
  "banner",
  "announcement",
  "notice",
  "promotion",
  "help_section",
  "help_article",
  "page",
  "download",
];

const first = "tbody .row-link";

async function openList(page: Page, kind: string): Promise<void> {
  await openOffice(page, "admin", `/content?merchant=capiz&kind=${kind}`);
  await expect(page.locator(first).first()).toBeVisible();
}

async function openEditor(page: Page, kind: string): Promise<void> {
  await openList(page, kind);
  await page.locator(first).first().click();
  await expect(page.locator("main .theme").first()).toBeVisible();
}

/** A list of what was written to the house, all of it; the demo has some. */
async function openInbox(page: Page, path: string): Promise<void> {
  await openOffice(page, "admin", `${path}?status=all`);
  await expect(page.locator(first).first()).toBeVisible();
}

export const officeContentViews: readonly View[] = [
  { name: "office-content", open: (page) => openList(page, "banner") },
  ...kinds.map((kind) => ({
    name: `office-content-${kind.replace("_", "-")}`,
    open: (page: Page) => openEditor(page, kind),
  })),
  {
    name: "office-content-history",
    popup: true,
    open: async (page) => {
      await openEditor(page, "page");
      await page.locator("main section header button").first().click();
      await expect(page.locator("dialog summary").first()).toBeVisible();
    },
  },
  ...["/feedback", "/affiliates"].flatMap((path) => [
    { name: `office${path.replace("/", "-")}`, open: (page: Page) => openInbox(page, path) },
    {
      name: `office${path.replace("/", "-")}-one`,
      popup: true,
      open: async (page: Page) => {
        await openInbox(page, path);
        await page.locator(first).first().click();
        await expect(page.locator("dialog h2")).toBeVisible();
      },
    },
  ]),
];
