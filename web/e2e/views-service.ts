import { type Page, expect } from "@playwright/test";
import { openOffice } from "./office";

type View = { name: string; popup?: boolean; open: (page: Page) => Promise<void> };

/** A part of the service, as the administrator sees it. */
function part(name: string, path: string, there: string): View {
  return {
    name: `office-${name}`,
    open: async (page) => {
      await openOffice(page, "admin", path);
      await expect(page.locator(there).first()).toBeVisible();
    },
  };
}

/** The same with something pressed, and its popup open. */
function pressed(name: string, path: string, control: string): View {
  return {
    name: `office-${name}`,
    popup: true,
    open: async (page) => {
      await openOffice(page, "admin", path);
      await page.locator(control).first().click();
      await expect(page.locator("dialog h2")).toBeVisible();
    },
  };
}

export const serviceViews: readonly View[] = [
  part("approvals", "/approvals?state=all", "main table, main p"),
  part("health", "/service", "main section dl"),
  part("jobs", "/service?tab=jobs", "main table"),
  part("messages", "/service?tab=messages", "main search"),
  part("outside", "/service?tab=outside", "main li h2"),
  pressed("check", "/service", "main section button"),
  pressed("try", "/service?tab=outside", "main li button"),
];
