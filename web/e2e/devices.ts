import type { Browser, Page } from "@playwright/test";
import { logIn } from "./forms";
import { accountButton, newPlayer, openAs, password } from "./player";
import { expect, strangersPage } from "./test";

/** A new member's own security center, while somebody is logged in to the account on another device as well. */
export async function twoDevices(page: Page, browser: Browser) {
  const player = await newPlayer(page);
  const elsewhere = await strangersPage(browser);
  await logIn(elsewhere, player.name, password);
  await expect(accountButton(elsewhere)).toBeVisible();
  await openAs(page, player, "/securityCenter");
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  return { elsewhere, devices };
}
