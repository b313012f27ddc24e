import { createHmac } from "node:crypto";
import { type Page, expect } from "@playwright/test";
import { accountButton } from "./player";

/** The popup on top. */
export const dialog = (page: Page) => page.getByRole("dialog").last();

export async function logIn(page: Page, name: string, secret: string): Promise<void> {
  await page.goto("/login");
  await dialog(page).getByLabel("Username", { exact: true }).fill(name);
  await dialog(page).getByLabel("Password", { exact: true }).fill(secret);
  await dialog(page).getByRole("button", { name: "Log in", exact: true }).click();
}

export async function leave(page: Page): Promise<void> {
  await accountButton(page).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log out" }).click();
  await dialog(page).getByRole("button", { name: "Log out" }).click();
  await expect(accountButton(page)).toHaveCount(0);
}

/** The six digits of an authenticator app (RFC 6238), worked out without any of the site's code. */
export function digitsOf(secret: string, at: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(secret, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const word = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(word % 1_000_000).padStart(6, "0");
}
