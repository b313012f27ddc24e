import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, expect, test } from "@playwright/test";
import { alone } from "./alone";
import { digitsOf, stepMs } from "./authenticator";
import { inDatabase } from "./behind";
import { openBlank } from "./blank";
import { given, officeUrl } from "./site";

/** The demo's people: what their authenticators share with the server. */
const keys = {
  admin: "capiz-demo-admin-key",
  cashier: "capiz-demo-cashier-k",
  support: "capiz-demo-support-k",
  content: "capiz-demo-content-k",
  auditor: "capiz-demo-auditor-k",
} as const;

export type Colleague = keyof typeof keys;
export const officePassword = "office-sees-through";

export const keyOf = (who: Colleague) => Buffer.from(keys[who]);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for the next code: each is good once. */
export function untilNextCode(): Promise<unknown> {
  return pause(stepMs - (Date.now() % stepMs) + 50);
}

/** Fills the log-in form that is on the page. */
export async function fillLogin(
  page: Page,
  username: string,
  password: string,
  code: string,
): Promise<void> {
  await page.getByLabel("Username", { exact: true }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Code from your authenticator").fill(code);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** So old a proof of who somebody is lasts until a test is over: it is good for ten minutes. */
const provedMs = 4 * 60_000;

/**
 * The cookies of somebody of the demo, in a file as old as the last proof of who it is. Every proof takes the place of
 * the session's last one, so tests that run at the same time have a session each.
 */
export function cookieFile(who: Colleague): string {
  const { parallelIndex } = test.info();
  return join(tmpdir(), `capiz-office-cookies-${new URL(officeUrl).port}-${parallelIndex}-${who}`);
}

/**
 * Opens a page of the office as somebody of the demo. Codes are good once and tries are counted, so everybody logs in
 * once for all tests that run one after the other, and waits for those who log in beside them.
 */
export async function openOffice(page: Page, who: Colleague, path = "/"): Promise<void> {
  await openBlank(page, officeUrl);
  const file = cookieFile(who);
  await alone(`office-${who}`, async () => {
    if (existsSync(file)) await takeCookies(page, readFileSync(file, "utf8"));
    const isKnown = await isIn(page);
    const provedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (isKnown && Date.now() - provedAt < provedMs) return;
    if (isKnown && given === undefined) await keepProved(who);
    else await show(page, who, isKnown ? "proof" : "login");
    writeFileSync(file, await cookiesOf(page));
  });
  await page.goto(officeUrl + path);
  await page.locator("main h1").waitFor();
}

/** Opens the palette by its keys, and waits until it listens. */
export async function openPalette(page: Page): Promise<void> {
  const field = page.getByRole("dialog").getByRole("combobox");
  // The page listens to keys a moment after it is there.
  await expect(async () => {
    if (!(await field.isVisible())) await page.keyboard.press("Control+k");
    await expect(field).toBeFocused({ timeout: 5000 });
  }).toPass();
}

function isIn(page: Page): Promise<boolean> {
  return page.evaluate(async () => (await fetch("/office/api/session")).ok);
}

/** Makes what somebody has proved young again, which costs no code and none of the tries that are counted. */
async function keepProved(who: Colleague): Promise<void> {
  await inDatabase(
    (sql) => sql`
      update staff_sessions set proved_at = now()
      where person_id = (select id from staff_people where username = ${who})`,
  );
}

/** Logs somebody in, or shows once more who they are. */
async function show(page: Page, username: Colleague, way: "login" | "proof"): Promise<void> {
  for (let tries = 0; tries < 4; tries += 1) {
    // The code before is good as well: of two who log in beside each other none has to wait.
    const code = digitsOf(keyOf(username), Date.now() - (tries === 0 ? stepMs : 0));
    const proof = { password: officePassword, code };
    const sent = { way, body: way === "login" ? { username, ...proof } : proof };
    const isGood = await page.evaluate(async ({ way, body }) => {
      const answer = await fetch(`/office/api/session/${way}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
        body: JSON.stringify(body),
      });
      return answer.ok;
    }, sent);
    if (isGood) return;
    if (tries > 0) await untilNextCode();
  }
  throw new Error(`${username} does not get into the office`);
}

/** The session, and the proof of who it is. */
const isOffices = ({ name }: { name: string }) => /(?:^|-)capiz-office(?:-|$)/.test(name);

async function cookiesOf(page: Page): Promise<string> {
  const kept = (await page.context().cookies()).filter(isOffices);
  return JSON.stringify(kept.map(({ name, value }) => ({ name, value })));
}

async function takeCookies(page: Page, kept: string): Promise<void> {
  const cookies = (JSON.parse(kept) as { name: string; value: string }[]).map(({ name, value }) => {
    const secure = name.startsWith("__Host-");
    // The browser calls the loopback secure, but lets such a cookie be set for TLS only.
    const url = secure ? officeUrl.replace("http:", "https:") : officeUrl;
    return { name, value, url, secure, httpOnly: true, sameSite: "Strict" } as const;
  });
  await page.context().addCookies(cookies);
}
