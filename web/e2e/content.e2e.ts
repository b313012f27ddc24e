import { type Page, expect, onPhones, test } from "./test";
import { fillRegistration, leave } from "./forms";
import { accountButton, newName, newPlayer, openAs, valueOf } from "./player";
import { overlap, settled, widths } from "./settled";
import { shiftOf, watchShift } from "./shift";

type Article = { slug: string; title: string };
type Section = { title: string; articles: Article[] };

async function ask<T>(page: Page, path: string): Promise<T> {
  return valueOf<T>(await page.context().request.get(path));
}

const popup = (page: Page) => page.getByRole("dialog");

test.describe("announcements", () => {
  // Elsewhere they are kept away.
  test.use({ announces: true });

  test("come to a visitor once per session", async ({ page }) => {
    await page.goto("/");
    await popup(page).getByRole("button", { name: "Got it" }).click();
    await expect(popup(page)).toHaveCount(0);
    expect(await page.evaluate(() => sessionStorage.getItem("ANONYMOUS_POPUP"))).toBe("closed");
    // One goes on at the heading, which is nothing to press and so has no frame.
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeFocused();
    await expect(heading).toHaveCSS("outline-style", "none");
    await page.reload();
    await page.goto("/about");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(popup(page)).toHaveCount(0);
  });

  test(
    "start the demo that they invite to, and invite nobody who has been inside",
    onPhones,
    async ({ page }) => {
      await page.goto("/");
      await popup(page).getByRole("button", { name: "Try it free" }).click();
      await expect(accountButton(page)).toContainText("demo");
      await popup(page).getByRole("button", { name: "Got it" }).click();
      await leave(page);
      const asked = page.waitForResponse("**/wps/announcements?*execution=B*");
      await page.goto("/about");
      await asked;
      await settled(page);
      await expect(popup(page)).toHaveCount(0);
      await page.goto("/promotions/try-it-free");
      await page.getByRole("main").getByRole("button", { name: "Try it free" }).click();
      await expect(accountButton(page)).toBeVisible();
      await expect(page).toHaveURL("/");
    },
  );

  test("on a phone no word of welcome lies over the heading of what follows it", async ({
    page,
  }) => {
    await page.setViewportSize(widths[0]);
    await page.goto("/register");
    await fillRegistration(popup(page), newName());
    await popup(page).getByRole("button", { name: "Create the account" }).click();
    const heading = popup(page).getByRole("heading", { level: 2 });
    const welcome = page.locator("[aria-live] > li").filter({ hasText: "Welcome" });
    await expect(popup(page).getByRole("button", { name: "Got it" })).toBeVisible();
    await settled(page);
    expect(await overlap(welcome, heading)).toBe(false);
    await expect(welcome.getByRole("button", { name: "Make your account safe" })).toHaveCSS(
      "text-align",
      "left",
    );
  });

  test("lead to their promotion and close", async ({ page }) => {
    await page.goto("/");
    await popup(page).getByRole("button", { name: "See the promotion" }).first().click();
    await expect(page).toHaveURL(/\/promotions/);
    await expect(popup(page)).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("wait while a game or another popup is in front", async ({ page }) => {
    const asked = page.waitForResponse("**/wps/announcements*");
    await page.goto("/login");
    await expect(popup(page)).toHaveCount(1);
    await asked;
    await expect(popup(page)).toHaveCount(1);
    await expect(popup(page).getByRole("heading", { level: 2 })).toHaveText("Log in");
    await page.keyboard.press("Escape");
    await expect(popup(page).getByRole("button", { name: "Got it" })).toBeVisible();
  });

  test("tell a member what members should know", async ({ page }) => {
    await page.setViewportSize(widths[0]);
    await openAs(page, await newPlayer(page), "/play/dice");
    await page.getByRole("link", { name: "Capiz, home page" }).click();
    // It is read from its top, however long it is.
    await expect(popup(page).getByRole("heading", { level: 2 })).toBeInViewport({ ratio: 1 });
    await expect(popup(page).locator("[data-autofocus]")).toBeFocused();
    await popup(page).getByRole("button", { name: "Got it" }).click();
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem("USER_POPUP")))
      .toBe("closed");
  });
});

test("the help center opens an article by its address, searches, and closing leads home", async ({
  page,
}) => {
  const sections = await ask<Section[]>(page, "/wps/system/helpCenter?lang=EN&device=WEB");
  const article = sections[1]?.articles[0];
  await page.goto(`/help?article=${article?.slug}`);
  const help = page.getByRole("dialog", { name: "Help center" });
  const opened = help.locator("details[open]");
  await expect(opened).toHaveCount(1);
  await expect(opened.locator("summary")).toContainText(article?.title ?? "");

  // One at a time; a press on the open one closes it.
  await help.locator("summary").first().click();
  await expect(opened.locator("summary")).toContainText(sections[0]?.articles[0]?.title ?? "");
  await expect(page).toHaveURL(new RegExp(`article=${sections[0]?.articles[0]?.slug}$`));
  await opened.locator("summary").click();
  await expect(opened).toHaveCount(0);

  await help.getByLabel("Search the help center").fill("zzzz nothing");
  await expect(help.getByText("Nothing found")).toBeVisible();
  await help.getByLabel("Search the help center").fill("password");
  await expect(help.locator("summary").first()).toBeVisible();
  await help.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("the notices are paged by nine, and one is open at a time", async ({ page }) => {
  type Page9 = { content: { title: string }[]; total: number };
  const { content, total } = await ask<Page9>(page, "/wps/notices?pageNo=1&pageSize=9&language=EN");
  await page.goto("/");
  await page.locator(".marquee").click();
  const list = page.getByRole("dialog", { name: "Notices" });
  const titles = list.locator("summary");
  await expect(titles).toHaveCount(9);
  await expect(titles.first()).toContainText(content[0]?.title ?? "");
  await expect(titles.first().locator("time")).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await titles.nth(0).click();
  await expect(list.locator("details[open]")).toHaveCount(1);
  await titles.nth(1).click();
  await expect(list.locator("details[open] summary")).toContainText(content[1]?.title ?? "");
  await titles.nth(1).click();
  await expect(list.locator("details[open]")).toHaveCount(0);
  await list.getByRole("button", { name: "Older" }).click();
  await expect(list.getByText("Page 2 of 2")).toBeVisible();
  await expect(titles).toHaveCount(total - 9);
});

for (const path of ["/terms", "/privacy", "/responsible", "/about"] as const) {
  test(`${path} shows what the office wrote`, async ({ page }) => {
    const { title } = await ask<{ title: string }>(page, `/wps/pages${path}?language=EN`);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.locator("main .safe-html p").first()).toBeVisible();
  });
}

test("an old link to privacy still leads there", async ({ page }) => {
  await page.goto("/terms#privacy");
  await expect(page).toHaveURL(/\/privacy$/);
});

test("what is written is cleaned once more before it is shown", async ({ page }) => {
  const content = `
    <h2>Hello</h2><script>document.title = "taken"</script><img src="/nothing" onerror="document.title='taken'">
    <p onclick="document.title='taken'" style="color:red">One <a href="javascript:document.title='taken'">bad</a>
    <a href="https://example.org/x">outer</a> <a href="/promotions">inner</a></p>`;
  const value = { name: "about", title: "About", content, updatedAt: "2026-11-16T00:00:00Z" };
  await page.route("**/wps/pages/about*", (route) =>
    route.fulfill({ json: { success: true, message: null, value } }),
  );
  await page.goto("/about");
  const text = page.locator("main .safe-html");
  await expect(text.getByRole("heading", { name: "Hello" })).toBeVisible();
  await expect(text.locator("script, img, [onclick], [style]")).toHaveCount(0);
  await expect(text.locator("a[href^=javascript]")).toHaveCount(0);
  const outer = text.getByRole("link", { name: "outer" });
  await expect(outer).toHaveAttribute("target", "_blank");
  await expect(outer).toHaveAttribute("rel", "noopener noreferrer");
  // A link to a page of the site does not load everything anew.
  await page.evaluate(() => Object.assign(globalThis, { same: true }));
  await text.getByRole("link", { name: "inner" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Promotions");
  expect(await page.evaluate(() => Reflect.get(globalThis, "same"))).toBe(true);
});

test("a page that could not be loaded can be asked for again", async ({ page }) => {
  await page.route("**/wps/pages/about*", (route) => route.abort());
  await page.goto("/about");
  await expect(page.getByRole("alert")).toContainText("Network link is abnormal");
  await page.unroute("**/wps/pages/about*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("main .safe-html p").first()).toBeVisible();
});

for (const width of widths) {
  test(`popups and pages of content stand still at ${width.width} px`, async ({ page }) => {
    await page.setViewportSize(width);
    await watchShift(page);
    for (const path of ["/help", "/terms", "/down", "/join", "/seamless", "/pointMall"]) {
      await page.goto(path);
      await expect(page.locator("main h1, dialog h2").first()).toBeVisible();
      await settled(page);
      expect.soft(await shiftOf(page), path).toBeLessThanOrEqual(0.02);
    }
  });
}

test("the download page has three codes of 80 pixels and real files", async ({ page }) => {
  await page.goto("/down");
  const codes = page.locator("main svg.qr");
  await expect(codes).toHaveCount(3);
  for (const code of await codes.all()) {
    expect((await code.boundingBox())?.width).toBe(80);
  }
  const links = page.locator("main a[href$='.mobileconfig']");
  await expect(links).toHaveCount(2);
  for (const link of await links.all()) {
    const answer = await page.context().request.get((await link.getAttribute("href")) ?? "");
    expect(answer.headers()["content-type"]).toContain("application/x-apple-aspen-config");
  }
});
