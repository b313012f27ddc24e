import { type Page, expect } from "@playwright/test";
import { newAddress, newSite } from "./behind";
import { bytesOf, digitsOf } from "./authenticator";
import { newName, newPlayer, openAs, openAsOnlooker, password } from "./player";
import type { View } from "./views";

const shown = (page: Page, selector: string) => expect(page.locator(selector)).toBeVisible();

async function openTab(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("dialog [role=tab]").nth(1).click();
  await shown(page, "dialog input[name=mobileNum]");
}

/** Two wrong passwords, from an address whose next visitors are not to pay for it. */
async function openCaptcha(page: Page, question: boolean): Promise<void> {
  await page.setExtraHTTPHeaders({ "X-Forwarded-For": newAddress() });
  await page.goto("/login");
  await page.locator("dialog input[name=username]").fill(newName());
  for (let tries = 0; tries < 2; tries += 1) {
    await page.locator("dialog input[name=password]").fill(`wrong-${tries}-password`);
    const answered = page.waitForResponse("**/wps/session/login");
    await page.locator("dialog form [type=submit]").click();
    await answered;
    await shown(page, "dialog [role=alert]");
    await expect(page.locator("dialog form [aria-busy=true]")).toHaveCount(0);
  }
  await shown(page, "dialog form img");
  if (!question) return;
  await page.locator("dialog .grid > button.underline").first().click();
  await shown(page, "dialog form p[data-name]");
}

async function openForgotMobile(page: Page): Promise<void> {
  await page.goto("/login");
  await page.locator("dialog .justify-items-start > button").click();
  await page.locator("dialog [role=tab]").nth(1).click();
  await shown(page, "dialog input[name=newPassword]");
}

/** What is said once a link is on its way. */
async function openForgotSent(page: Page): Promise<void> {
  const sent = { json: { success: true, value: null } };
  await page.route("**/wps/member/password/email", (route) => route.fulfill(sent));
  await page.goto("/login");
  await page.locator("dialog .justify-items-start > button").click();
  await page.locator("dialog input[name=username]").fill("marikit");
  await page.locator("dialog input[name=email]").fill("marikit@mail.example");
  await page.locator("dialog form [type=submit]").click();
  await shown(page, "dialog .popup-small");
}

/** The security center, with one of its popups open: the button's place among those of the panel. */
async function openSecurity(page: Page, panel: number, button: number): Promise<void> {
  await openAsOnlooker(page, "/securityCenter");
  await press(page, panel, button);
}

async function press(page: Page, panel: number, button: number): Promise<void> {
  await page.locator("main section").nth(panel).locator("button").nth(button).click();
  await shown(page, "dialog h2");
}

/** The security center as a member who has told an address and not proved it. */
async function openUnverified(page: Page): Promise<void> {
  const email = `${newName()}@mail.example`;
  await openAs(page, await newPlayer(page, { email }), "/securityCenter");
  await expect(page.locator("main section").nth(1).locator("button")).toHaveCount(6);
}

async function openVerification(page: Page): Promise<void> {
  await openUnverified(page);
  await page.locator("main section").nth(1).locator("button").nth(2).click();
  await shown(page, "dialog input[name=email]");
}

async function openQrCode(page: Page): Promise<void> {
  await openAs(page, await newPlayer(page), "/securityCenter");
  await press(page, 1, 4);
  await page.locator("dialog input[name=password]").fill(password);
  await page.locator("dialog form [type=submit]").click();
  await shown(page, "dialog svg[role=img]");
}

async function openRecoveryCodes(page: Page): Promise<void> {
  await openQrCode(page);
  const secret = (await page.locator("dialog code").textContent()) ?? "";
  await page.locator("dialog input[name=code]").fill(digitsOf(bytesOf(secret), Date.now()));
  await page.locator("dialog form [type=submit]").click();
  await expect(page.locator("dialog li").first()).toBeVisible();
}

async function openTwoFactorOff(page: Page): Promise<void> {
  await openRecoveryCodes(page);
  await page.locator("dialog button").filter({ visible: true }).nth(2).click();
  await page.locator("main section").nth(1).locator("button").last().click();
  await shown(page, "dialog input[name=code]");
}

/** A first sign-in through a provider. */
async function openCompletion(page: Page): Promise<void> {
  await page.goto("/login");
  // The providers' buttons come a moment after the form.
  await expect(page.locator("dialog .border-t")).toHaveCount(2);
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    page.locator("dialog .border-t button").first().click(),
  ]);
  await window.locator("input[name=person]").fill(newName());
  await window.locator("button").first().click();
  await shown(page, "dialog input[name=birthday]");
}

/** The first popup that asks for a password, as somebody who has none. */
async function openNoPassword(page: Page): Promise<void> {
  await openCompletion(page);
  await page.goto("/securityCenter");
  await page.locator("main section").nth(2).locator("button").last().click();
  await shown(page, "dialog p ~ button");
}

async function openServed(page: Page, path: string): Promise<void> {
  const site = await newSite(page, { PHONESERVICE3: true });
  await openTab(page, `${site}${path}`);
}

/** The ways in and the guards of an account, beyond the forms that stand at an address of their own. */
export const identityViews: readonly View[] = [
  { name: "login-mobile", popup: true, open: (page) => openTab(page, "/login") },
  { name: "login-captcha", popup: true, told: true, open: (page) => openCaptcha(page, false) },
  { name: "login-question", popup: true, told: true, open: (page) => openCaptcha(page, true) },
  { name: "login-phone-service", popup: true, open: (page) => openServed(page, "/login") },
  { name: "register-mobile", popup: true, open: (page) => openTab(page, "/register") },
  { name: "register-phone-service", popup: true, open: (page) => openServed(page, "/register") },
  { name: "forgot-mobile", popup: true, open: openForgotMobile },
  { name: "forgot-sent", popup: true, told: true, open: openForgotSent },
  { name: "complete", popup: true, told: true, open: openCompletion },
  {
    name: "security-to-complete",
    open: async (page) => {
      await openCompletion(page);
      await page.goto("/securityCenter");
      await shown(page, "main section h2 >> nth=0");
    },
  },
  { name: "bind-mobile", popup: true, open: (page) => openSecurity(page, 1, 1) },
  { name: "bind-email", popup: true, open: (page) => openSecurity(page, 1, 2) },
  { name: "security-unverified", open: openUnverified },
  { name: "bind-verify", popup: true, open: openVerification },
  { name: "no-password", popup: true, open: openNoPassword },
  { name: "payment-password", popup: true, open: (page) => openSecurity(page, 1, 3) },
  { name: "two-factor-on", popup: true, open: (page) => openSecurity(page, 1, 4) },
  { name: "two-factor-qr", popup: true, open: openQrCode },
  { name: "two-factor-codes", popup: true, open: openRecoveryCodes },
  { name: "two-factor-off", popup: true, open: openTwoFactorOff },
  { name: "icon", popup: true, open: (page) => openSecurity(page, 0, 0) },
];
