import { expect, test } from "./test";
import { chromiumLaunch } from "./chromium.mjs";
import { officeUrl, siteUrl } from "./site";

const stranger = "nowhere.example";
const launch = await chromiumLaunch();
test.use({
  launchOptions: {
    ...launch,
    args: [...launch.args, `--host-resolver-rules=MAP ${stranger} 127.0.0.1`],
  },
});

test("an unknown host gets the page that says so", async ({ page }) => {
  const { port } = new URL(siteUrl);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const answer = await page.goto(`http://${stranger}:${port}/`);
    expect(answer?.status()).toBe(404);
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await expect(page.getByRole("heading")).toHaveText("This address belongs to no site");
    await expect(page.getByText("customer service")).toBeVisible();
  }
});

test("an unknown path is a 404 with a way home", async ({ page }) => {
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This pane is empty");
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("The house");
});

test("an unknown game and an unknown round are said in words", async ({ page }) => {
  await page.goto("/play/no-such-game");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such game");
  await page.goto("/verify/019a0000-0000-7000-8000-000000000000");
  await expect(page.getByText("Log in to check round")).toBeVisible();
});

for (const colorScheme of ["dark", "light"] as const) {
  test(`the office does not say what was wrong with a log-in (${colorScheme})`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${officeUrl}/`);
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await page.getByLabel("Username", { exact: true }).fill("ana");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.getByLabel("Code from your authenticator").fill("123456");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toHaveText("Username, password or code is not correct.");
  });
}

test("the office is not on the players' listener, nor the games in the office", async ({
  request,
}) => {
  expect((await request.get("/office/api/session/login")).status()).toBe(404);
  expect((await request.get(`${officeUrl}/lgw/games/popular`)).status()).toBe(404);
});
