import { type Page, expect, test } from "./test";
import { accountButton, newPlayer, password } from "./player";

const isEntry = /\/assets\/index-[^/]*\.js$/;

/** Opens a page whose script is still on its way; gives what lets it arrive. */
async function openAsleep(page: Page, path: string): Promise<() => void> {
  let arrive = () => undefined as void;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(isEntry, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await expect(page.getByRole("banner")).toBeVisible();
  return arrive;
}

const opener = (page: Page) =>
  page.getByRole("banner").getByRole("button", { name: "Other ways to log in" });

for (const path of ["/", "/fairness"]) {
  test(`a press before ${path} is alive is not lost`, async ({ page }) => {
    const arrive = await openAsleep(page, path);
    await opener(page).click();
    await opener(page).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    arrive();
    await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(opener(page)).toBeFocused();
  });
}

test("a press by keyboard is not lost, nor is the focus", async ({ page }) => {
  const arrive = await openAsleep(page, "/");
  await page.getByRole("banner").getByRole("button", { name: /light/i }).focus();
  arrive();
  await expect(page).toHaveTitle(/./);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("banner").getByRole("button", { name: /light/i })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("a choice before the page is alive is kept", async ({ page }) => {
  const arrive = await openAsleep(page, "/");
  await page.getByRole("banner").getByLabel("Language").selectOption("TY");
  arrive();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Ang pustahang walang itinatago",
  );
});

test("a finger that is down while the page comes alive presses all the same", async ({ page }) => {
  const arrive = await openAsleep(page, "/");
  const box = await opener(page).boundingBox();
  if (!box) throw new Error("the button is nowhere");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const old = await opener(page).elementHandle();
  arrive();
  await expect.poll(() => old?.evaluate((button) => button.isConnected)).toBe(false);
  await page.mouse.up();
  await expect(page.getByRole("dialog", { name: "Log in" })).toBeVisible();
});

test("what is typed before the page is alive logs in", async ({ page }) => {
  const { name } = await newPlayer(page);
  const arrive = await openAsleep(page, "/");
  await page.getByRole("banner").getByLabel("Your username").fill(name);
  await page.getByRole("banner").getByLabel("Your password").fill(password);
  await page.keyboard.press("Enter");
  arrive();
  await expect(accountButton(page)).toContainText(name);
  expect(page.url(), "nothing was sent by the browser itself").not.toContain("?");
});

test("the banner of a new site is kept out of sight where the house has another", async ({
  page,
}) => {
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const told = '<meta name="other-banner" /><title>';
      await route.fulfill({ response, body: (await response.text()).replace("<title>", told) });
    },
  );
  const arrive = await openAsleep(page, "/");
  const banner = page.getByRole("main").locator(".banner").first();
  await expect(banner).toBeHidden();
  arrive();
  await expect(banner).toBeVisible();
});
