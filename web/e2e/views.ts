import { type Page, expect } from "@playwright/test";
import { believeLinks } from "./forms";
import { openOffice, openPalette } from "./office";
import { askForProof } from "./proof";
import {
  accountButton,
  gameReady,
  hearsNews,
  logInAsMaria,
  newName,
  newPlayer,
  openAs,
  openAsOnlooker,
  rollInFrame,
} from "./player";
import { given, officeUrl } from "./site";
import { contentViews } from "./views-content";
import { identityViews } from "./views-identity";
import { memberViews } from "./views-members";
import { officeContentViews } from "./views-office-content";
import { serviceViews } from "./views-service";
import { shellViews } from "./views-shell";

/** A page or popup in a state worth looking at. Nothing in here depends on the language. */
export type View = {
  name: string;
  open: (page: Page) => Promise<void>;
  /** Only on narrow screens. */
  phone?: boolean;
  /** A popup covers the window, not the whole page. */
  popup?: boolean;
  /** Has something on it that was said in the language of that moment, as messages and games have. */
  told?: boolean;
};

async function openPlain(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("main h1, dialog h2").first()).toBeVisible();
}

/** A popup that belongs to an address. */
async function openPopup(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("dialog h2")).toBeVisible();
}

async function openMember(page: Page, path: string): Promise<void> {
  await openAs(page, await newPlayer(page), path);
}

/** A member's page whose session has ended while it was open, once the log-in that is offered is closed. */
async function openEnded(page: Page, path: string): Promise<void> {
  const player = await newPlayer(page);
  const hears = hearsNews(page);
  await openAs(page, player, path);
  await hears;
  await player.leave();
  await expect(page.locator("dialog h2")).toBeVisible();
  // A call that was under way is refused as well, and offers it once more.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog")).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

async function openRound(page: Page, revealed: boolean): Promise<void> {
  const player = await newPlayer(page);
  await player.rollDice("25", 4000);
  const round = await player.win();
  if (revealed) await player.rotateSeed("bagong-salita");
  await openAs(page, player, `/verify/${round.id}`);
  await expect(page.locator(revealed ? "ol h3" : "main form").first()).toBeVisible();
}

async function openRecord(page: Page): Promise<void> {
  const player = await newPlayer(page);
  await player.rollDice("25", 4000);
  await player.win();
  await openAs(page, player, "/transactionHistory");
  await page.locator("main summary").first().click();
  await page.locator("main section button").first().click();
  await expect(page.locator("main [role=status].leaf-lg")).toBeVisible();
}

/** The total of yesterday is counted soon after the server has started. */
export async function openTotals(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto("/proof");
    await expect(page.locator("main select")).toBeVisible({ timeout: 5000 });
  }).toPass();
}

async function openChecked(page: Page): Promise<void> {
  await openTotals(page);
  await page.locator("main section button").first().click();
  await expect(page.locator("main [role=status].leaf-lg")).toBeVisible();
}

/** As a member who was here before the total was counted. */
async function openCounted(page: Page): Promise<void> {
  await logInAsMaria(page);
  await openChecked(page);
  await page.locator("main summary").click();
}

async function openNotCounted(page: Page): Promise<void> {
  await openAsOnlooker(page, "/");
  await openChecked(page);
}

/** In the middle of a log-in with a second step. */
async function openTwoFactor(page: Page): Promise<void> {
  await page.goto("/healthz");
  await page.evaluate(() =>
    sessionStorage.setItem("twoFactor", JSON.stringify({ ticket: "ticket", kind: "login" })),
  );
  await openPlain(page, "/login/verify");
  await expect(page.locator("main input")).toBeFocused();
}

async function openSecurityOnTrial(page: Page): Promise<void> {
  await openPlain(page, "/login");
  await page.locator("dialog .border-t button").last().click();
  await expect(accountButton(page)).toBeVisible();
  await openPlain(page, "/securityCenter");
  await expect(page.locator("main section button")).toBeVisible();
}

async function askToLeave(page: Page): Promise<void> {
  await openAsOnlooker(page, "/");
  await accountButton(page).click();
  await page.locator("#account-menu button").last().click();
  await expect(page.locator("dialog h2")).toBeVisible();
}

/** The office as its administrator, with the first control of a kind pressed. */
async function pressInOffice(page: Page, path: string, control: string): Promise<void> {
  await openOffice(page, "admin", path);
  await page.locator(control).first().click();
  await expect(page.locator("dialog h2")).toBeVisible();
}

async function openChange(page: Page): Promise<void> {
  await openOffice(page, "admin", "/trail?action=staff.add");
  await page.locator("tbody .row-link").last().click();
  await expect(page.locator("dialog h3")).toBeVisible();
}

const officeViews: readonly View[] = [
  { name: "office", open: (page) => openPlain(page, `${officeUrl}/`) },
  {
    name: "office-desk",
    open: async (page) => {
      await openOffice(page, "admin");
      await expect(page.locator("main section li").first()).toBeVisible();
    },
  },
  { name: "office-not-allowed", open: (page) => openOffice(page, "support", "/trail") },
  {
    name: "office-people",
    open: async (page) => {
      await openOffice(page, "admin", "/staff");
      await expect(page.locator("tbody .row-link").first()).toBeVisible();
    },
  },
  {
    name: "office-person",
    popup: true,
    open: (page) => pressInOffice(page, "/staff?role=support", "tbody .row-link"),
  },
  {
    name: "office-add",
    popup: true,
    open: (page) => pressInOffice(page, "/staff", "main header button"),
  },
  {
    name: "office-secrets",
    popup: true,
    open: async (page) => {
      await pressInOffice(page, "/staff", "main header button");
      await page.locator("dialog input[name=name]").fill("Look Reyes");
      const username = `look.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
      await page.locator("dialog input[name=username]").fill(username);
      await page.locator("dialog input[name=reason]").fill("for a picture");
      await page.locator("dialog form [type=submit]").click();
      await expect(page.locator("dialog svg.qr")).toBeVisible();
    },
  },
  {
    name: "office-roles",
    open: async (page) => {
      await openOffice(page, "admin", "/roles");
      await expect(page.locator("tbody tr").first()).toBeVisible();
    },
  },
  {
    name: "office-role",
    popup: true,
    open: (page) => pressInOffice(page, "/roles", "main section button"),
  },
  {
    name: "office-proof",
    popup: true,
    open: async (page) => {
      await openOffice(page, "admin");
      await askForProof(page, "Looking after a picture");
    },
  },
  {
    name: "office-trail",
    open: async (page) => {
      await openOffice(page, "admin", "/trail");
      await page.locator("main header button").click();
      await expect(page.locator("main header [role=status] svg")).toBeVisible();
    },
  },
  { name: "office-change", popup: true, open: openChange },
  {
    name: "office-palette",
    popup: true,
    open: async (page) => {
      await openOffice(page, "admin");
      await openPalette(page);
      await page.locator("dialog input").fill("a");
      await expect(page.locator("dialog [role=option]").nth(3)).toBeVisible();
    },
  },
  ...["site", "switches", "registration", "policies", "brand", "merchants", "history"].map(
    (tab): View => ({
      name: `office-settings-${tab}`,
      open: async (page) => {
        await openOffice(page, "admin", `/settings?merchant=capiz&tab=${tab}`);
        await expect(page.locator("main nav li").first()).toBeVisible();
        await expect(page.locator("main :is(section, table, search)").first()).toBeVisible();
      },
    }),
  ),
  {
    name: "office-settings-switch",
    popup: true,
    open: (page) =>
      pressInOffice(page, "/settings?merchant=capiz&tab=switches", "main [role=switch]"),
  },
  {
    name: "office-settings-rule",
    popup: true,
    open: (page) =>
      pressInOffice(page, "/settings?merchant=capiz&tab=registration", "tbody .row-link"),
  },
  {
    name: "office-settings-found",
    popup: true,
    open: async (page) => {
      await openOffice(page, "admin", "/settings?merchant=capiz&tab=merchants");
      await page.locator("main button").last().click();
      await expect(page.locator("dialog h2")).toBeVisible();
    },
  },
  {
    name: "office-menu",
    popup: true,
    phone: true,
    open: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await pressInOffice(page, "/", "header button");
    },
  },
];

export const views: readonly View[] = [
  // Some of these look behind the site.
  ...(given === undefined ? identityViews : []),
  { name: "home", open: (page) => openPlain(page, "/") },
  { name: "home-member", open: (page) => openAsOnlooker(page, "/") },
  { name: "login", popup: true, open: (page) => openPopup(page, "/login") },
  {
    name: "login-wrong",
    told: true,
    popup: true,
    open: async (page) => {
      await openPopup(page, "/login");
      // Nobody tried this name before: after some wrong passwords there is a captcha.
      await page.locator("dialog input[name=username]").fill(newName());
      await page.locator("dialog input[name=password]").fill("a wrong password");
      await page.locator("dialog form [type=submit]").click();
      await expect(page.locator("dialog [role=alert]")).toBeVisible();
    },
  },
  {
    name: "forgot",
    popup: true,
    open: async (page) => {
      await openPopup(page, "/login");
      await page.locator("dialog .justify-items-start > button").click();
      await expect(page.locator("dialog input[name=email]")).toBeVisible();
    },
  },
  {
    name: "forgot-link",
    popup: true,
    open: async (page) => {
      await believeLinks(page);
      await openPopup(page, "/login#recover=token");
      await expect(page.locator("dialog input[name=newPassword]")).toBeVisible();
    },
  },
  {
    name: "forgot-link-over",
    popup: true,
    open: async (page) => {
      await openPopup(page, "/login#recover=token");
      await expect(page.locator("dialog [role=alert]")).toBeVisible();
    },
  },
  { name: "two-factor-over", open: (page) => openPlain(page, "/login/verify") },
  { name: "two-factor", open: openTwoFactor },
  {
    name: "change-password",
    popup: true,
    open: async (page) => {
      await openAsOnlooker(page, "/securityCenter");
      await page.locator("main section").nth(1).locator("button").first().click();
      await expect(page.locator("dialog input[name=oldPassword]")).toBeVisible();
    },
  },
  { name: "security-visitor", told: true, open: (page) => openEnded(page, "/securityCenter") },
  { name: "security-trial", open: openSecurityOnTrial },
  { name: "security", open: (page) => openAsOnlooker(page, "/securityCenter") },
  { name: "register", popup: true, open: (page) => openPopup(page, "/register") },
  {
    name: "register-wrong",
    popup: true,
    open: async (page) => {
      await openPopup(page, "/register");
      await page.locator("dialog form [type=submit]").click();
      await expect(page.locator("dialog [aria-invalid=true]").first()).toBeVisible();
    },
  },
  {
    name: "menu",
    popup: true,
    phone: true,
    open: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await openPlain(page, "/");
      await page.locator("nav.bottom-bar button").last().click();
      await expect(page.locator("dialog h2")).toBeVisible();
    },
  },
  {
    name: "account-menu",
    popup: true,
    open: async (page) => {
      await openAsOnlooker(page, "/");
      await accountButton(page).click();
      await expect(page.locator("#account-menu")).toBeVisible();
    },
  },
  { name: "logout", popup: true, open: askToLeave },
  { name: "dice-gate", open: (page) => openPlain(page, "/play/dice") },
  {
    name: "dice",
    told: true,
    open: async (page) => {
      await openMember(page, "/play/dice");
      await gameReady(page);
    },
  },
  {
    name: "dice-played",
    told: true,
    open: async (page) => {
      await openMember(page, "/play/dice");
      await gameReady(page);
      for (let rolled = 0; rolled < 2; rolled += 1) await rollInFrame(page);
    },
  },
  {
    name: "dice-demo",
    told: true,
    open: async (page) => {
      await openPlain(page, "/play/dice");
      await page.locator("main section h2 ~ div button").last().click();
      await gameReady(page);
    },
  },
  { name: "dice-unknown", open: (page) => openPlain(page, "/play/mahjong-dragon") },
  { name: "games", open: (page) => openPlain(page, "/rng") },
  { name: "games-none", open: (page) => openPlain(page, "/live") },
  { name: "games-search", open: (page) => openPlain(page, "/search?q=widnows") },
  { name: "favorites-visitor", told: true, open: (page) => openEnded(page, "/favorites") },
  { name: "recent-new", open: (page) => openAsOnlooker(page, "/recent") },
  { name: "fairness", open: (page) => openPlain(page, "/fairness") },
  { name: "verify-visitor", open: (page) => openPlain(page, "/verify") },
  { name: "verify-new", open: (page) => openAsOnlooker(page, "/verify") },
  { name: "verify-sealed", open: (page) => openRound(page, false) },
  { name: "verify-good", open: (page) => openRound(page, true) },
  { name: "record-visitor", told: true, open: (page) => openEnded(page, "/transactionHistory") },
  { name: "record", open: openRecord },
  { name: "proof", open: (page) => openPlain(page, "/proof") },
  { name: "proof-member", open: (page) => openAsOnlooker(page, "/proof") },
  { name: "proof-counted", open: openCounted },
  { name: "proof-not-counted", open: openNotCounted },
  { name: "not-found", open: (page) => openPlain(page, "/no/such/page") },
  ...contentViews,
  ...officeViews,
  ...memberViews,
  ...serviceViews,
  ...officeContentViews,
  ...shellViews,
];
