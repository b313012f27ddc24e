import { type Page, expect } from "@playwright/test";
import { newPlayer, openAs, openAsOnlooker } from "./player";
import { announceAgain } from "./test";
import type { View } from "./views";

async function openText(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("main .safe-html p").first()).toBeVisible();
}

async function openPage(page: Page, path: string, shown: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator(shown).first()).toBeVisible();
}

async function openHelp(page: Page): Promise<void> {
  await page.goto("/help");
  await page.locator("dialog summary").first().click();
  await expect(page.locator("dialog details[open] .safe-html")).toBeVisible();
}

async function openFeedback(page: Page): Promise<void> {
  await page.goto("/help");
  await page.locator("dialog .border-t button").click();
  await expect(page.locator("dialog textarea")).toBeVisible();
}

/** The announcements come by themselves where nobody keeps them away. */
async function openAnnouncement(page: Page): Promise<void> {
  await announceAgain(page);
  await page.goto("/");
  await expect(page.locator("dialog .safe-html")).toBeVisible();
}

export const contentViews: readonly View[] = [
  { name: "announcement", popup: true, open: openAnnouncement },
  {
    name: "notices",
    popup: true,
    open: async (page) => {
      await page.goto("/");
      await page.locator(".marquee").click();
      await page.locator("dialog summary").first().click();
      await expect(page.locator("dialog details[open] .safe-html")).toBeVisible();
    },
  },
  {
    name: "public-announcement",
    popup: true,
    open: async (page) => {
      await page.goto("/");
      await page.locator(".marquee").click();
      await page.locator("dialog button.leaf[type=button].text-left").click();
      await expect(page.locator("dialog article .safe-html")).toBeVisible();
    },
  },
  { name: "help", popup: true, open: openHelp },
  {
    name: "help-nothing",
    popup: true,
    open: async (page) => {
      await page.goto("/help");
      await page.locator("dialog summary").first().waitFor();
      // Typed, not filled in: what moves then was asked for.
      await page.locator("dialog input").pressSequentially("zzzz");
      await expect(page.locator("dialog summary")).toHaveCount(0);
    },
  },
  { name: "feedback", popup: true, open: openFeedback },
  {
    name: "feedback-wrong",
    popup: true,
    open: async (page) => {
      await openFeedback(page);
      await page.locator("dialog form [type=submit]").click();
      await expect(page.locator("dialog [aria-invalid=true]").first()).toBeVisible();
    },
  },
  {
    name: "feedback-own",
    told: true,
    popup: true,
    open: async (page) => {
      await openAs(page, await newPlayer(page), "/");
      await openFeedback(page);
      await page.locator("dialog textarea").fill("A question that was asked for a picture.");
      await page.locator("dialog form [type=submit]").click();
      await expect(page.locator("dialog li p").first()).toBeVisible();
    },
  },
  ...["terms", "privacy", "responsible", "about"].map((name): View => ({
    name,
    open: (page) => openText(page, `/${name}`),
  })),
  { name: "promotions", open: (page) => openPage(page, "/promotions", "main article") },
  {
    name: "promotion",
    open: async (page) => {
      await openPage(page, "/promotions?type=REBATE", "main article");
      await page.locator("main article a").first().click();
      await expect(page.locator("main .safe-html").first()).toBeVisible();
    },
  },
  {
    name: "promotion-over",
    open: (page) => openPage(page, "/promotions/none", "main .border-dashed"),
  },
  { name: "join", open: (page) => openPage(page, "/join?affiliateCode=ANA-77", "main form") },
  {
    name: "join-member",
    open: async (page) => {
      await openAsOnlooker(page, "/join");
      await expect(page.locator("main form")).toBeVisible();
    },
  },
  { name: "seamless", open: (page) => openPage(page, "/seamless", "main ul li") },
  {
    name: "seamless-member",
    open: async (page) => {
      await openAsOnlooker(page, "/seamless");
      await expect(page.locator("main .figures.text-4xl")).toBeVisible();
    },
  },
  { name: "point-mall", open: (page) => openPage(page, "/pointMall", "main h1") },
  { name: "down", open: (page) => openPage(page, "/down", "main svg.qr") },
];
