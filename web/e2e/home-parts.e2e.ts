import { type Page, expect, test } from "./test";
import { withBoot } from "./boot";
import { settled } from "./settled";

const words = { groupName: "w_home", text: "More about it.", image: null, alt: "" };
const banners = [
  { id: "1", ...words, title: "First banner", url: "/fairness", linkageType: "ROUTE" },
  { id: "2", ...words, title: "Second banner", url: "dice", linkageType: "GAME" },
  {
    id: "3",
    ...words,
    title: "Third banner",
    url: "https://example.com/a",
    linkageType: "OUTSIDE",
  },
];
function carousel(page: Page) {
  const section = page.getByRole("region", { name: "What is on" });
  return {
    section,
    shown: section.locator(".slide[data-current]"),
    dot: (slide: number) => section.getByRole("button", { name: `Show slide ${slide}` }),
  };
}

test.describe("the banners", () => {
  test.beforeEach(({ page }) => withBoot(page, { banners }));

  test.describe("in motion", () => {
    test.use({ reducedMotion: "no-preference" });

    test("turn by themselves, begin anew, and stand still on request", async ({ page }) => {
      await page.goto("/");
      const { section, shown, dot } = carousel(page);
      await expect(shown).toContainText("First banner");
      await expect(shown).toContainText("Second banner");
      await dot(3).click();
      await expect(shown).toContainText("Third banner");
      await page.mouse.move(0, 0);
      await expect(shown).toContainText("First banner");
      await section.getByRole("button", { name: "Stop the slides" }).click();
      await page.mouse.move(0, 0);
      await page.waitForTimeout(6000);
      await expect(shown).toContainText("First banner");
    });

    test("wait for whoever points at them", async ({ page }) => {
      await page.goto("/");
      const { shown } = carousel(page);
      await shown.hover();
      const before = await shown.textContent();
      await page.waitForTimeout(6000);
      await expect(shown).toHaveText(before ?? "");
    });
  });

  test("stand still where less motion is wanted, and can still be chosen by keyboard", async ({
    page,
  }) => {
    await page.goto("/");
    const { section, shown, dot } = carousel(page);
    await expect(dot(1)).toHaveAttribute("aria-current", "true");
    await expect(section.getByRole("button", { name: "Stop the slides" })).toHaveCount(0);
    await dot(2).focus();
    await page.keyboard.press("Enter");
    await expect(shown).toContainText("Second banner");
    await expect(dot(2)).toHaveAttribute("aria-current", "true");
  });

  test("lead where they say", async ({ page }) => {
    await page.goto("/");
    const { shown, dot } = carousel(page);
    await dot(3).click();
    const outside = shown.getByRole("link");
    await expect(outside).toHaveAttribute("href", "https://example.com/a");
    await expect(outside).toHaveAttribute("target", "_blank");
    await dot(2).click();
    await expect(shown.getByRole("link")).toHaveAttribute("href", "/play/dice");
    await dot(1).click();
    await shown.getByRole("link").click();
    await expect(page).toHaveURL(/\/fairness$/);
  });

  test.describe("by thumb", () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

    test("follow a swipe, and a swipe is no press", async ({ page }) => {
      await page.goto("/");
      const { section, shown, dot } = carousel(page);
      await expect(dot(1)).toBeVisible();
      const box = await section.boundingBox();
      if (!box) throw new Error("the banners are not there");
      const line = await page.context().newCDPSession(page);
      const y = box.y + 60;
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", share?: number) =>
        line.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: share === undefined ? [] : [{ x: box.x + box.width * share, y }],
        });
      await touch("touchStart", 0.8);
      for (const share of [0.7, 0.6, 0.5, 0.4]) await touch("touchMove", share);
      await touch("touchEnd");
      await expect(shown).toContainText("Second banner");
      await expect(page).toHaveURL(/\/$/);
      await touch("touchStart", 0.2);
      for (const share of [0.3, 0.4, 0.5, 0.6]) await touch("touchMove", share);
      await touch("touchEnd");
      await expect(shown).toContainText("First banner");
    });
  });
});

test("the new games and those with a jackpot are asked for 300 ms apart where they did not come along", async ({
  page,
}) => {
  await withBoot(page, { newGames: undefined, jackpotGames: undefined });
  const asked: { path: string; at: number }[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/lgw/games") asked.push({ path: search, at: Date.now() });
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Jackpot games" })).toBeVisible();
  await settled(page);
  const at = (part: string) => asked.find(({ path }) => path.includes(part))?.at ?? Number.NaN;
  expect(at("gameClassify=JP") - at("isNew=1")).toBeGreaterThanOrEqual(250);
});

test("the counter says that it is a show, and the prerendered page has no figure", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const counter = page.getByRole("region", { name: "Simulated counter" });
  await expect(counter).toContainText("It is not money, not a prize, and no game pays it.");
  await expect(counter.locator(".figures")).toHaveText(/^1[12],\d{3},\d{3},\d{3}\.\d\d$/);
  const first = await counter.locator(".figures").textContent();
  await expect(counter.locator(".figures")).not.toHaveText(first ?? "");
  const html = await (await request.get("/")).text();
  expect(html).not.toMatch(/1[12],\d{3},\d{3},\d{3}/);
});

test.describe("videos", () => {
  const video = { ...words, groupName: "w_video", linkageType: "VIDEO" };
  const links = [
    { id: "1", ...video, title: "How a round is checked", url: "https://youtu.be/dQw4w9WgXcQ" },
    { id: "2", ...video, title: "From somewhere else", url: "https://example.com/v.mp4" },
  ];

  test("come from video services alone, and not before they are wanted", async ({ page }) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.route("**/wps/banners?*w_video*", (route) =>
      route.fulfill({ json: { success: true, value: links } }),
    );
    await page.goto("/");
    const play = page.getByRole("button", { name: "Play the video: How a round is checked" });
    await expect(play).toBeVisible();
    await expect(page.getByText("From somewhere else")).toHaveCount(0);
    await expect.poll(() => errors.join()).toContain("not embedded");
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.route("https://www.youtube-nocookie.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "a video" }),
    );
    await play.click();
    await expect(page.locator("iframe")).toHaveAttribute(
      "src",
      /^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?.*hl=en/,
    );
  });

  test("take no room where there are none", async ({ page }) => {
    await page.route("**/wps/banners?*w_video*", (route) =>
      route.fulfill({ json: { success: true, value: [] } }),
    );
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Capiz on your phone" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Watch" })).toHaveCount(0);
  });
});

test("the way to the app is a code of 80 pixels and a link", async ({ page }) => {
  await page.goto("/");
  const section = page.getByRole("region", { name: "Capiz on your phone" });
  const code = section.getByRole("img", { name: "QR code that leads to the app page" });
  await expect(code).toBeVisible();
  const box = await code.boundingBox();
  expect([box?.width, box?.height]).toEqual([80, 80]);
  await expect(section.getByRole("link")).toHaveAttribute("href", "/down");
});

test("what was seen before is there at once after a reload", async ({ page }) => {
  await page.goto("/");
  const first = page.locator(".winner").first();
  await expect(first).toBeVisible();
  const name = await first.textContent();
  await page.route("**/lgw/games/winners*", (route) => route.abort());
  await page.reload();
  await expect(first).toBeVisible();
  expect(await first.textContent()).toBe(name);
});

test.describe("the winners board", () => {
  test.use({ reducedMotion: "no-preference" });

  test("rolls, and stands still on request", async ({ page }) => {
    await page.goto("/");
    const section = page.getByRole("region", { name: "Winners" });
    const row = section.locator(".winner").first();
    const moved = () => row.evaluate((one) => getComputedStyle(one).translate);
    const stop = section.getByRole("button", { name: "Stop the winners board" });
    await expect(stop).toBeVisible();
    const before = await moved();
    await expect.poll(moved).not.toBe(before);
    await stop.click();
    await page.mouse.move(0, 0);
    const standing = await moved();
    await page.waitForTimeout(500);
    expect(await moved()).toBe(standing);
  });
});
