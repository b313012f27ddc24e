import { Buffer } from "node:buffer";
import { type Browser, type Locator, type Page, expect, strangersPage, test } from "./test";
import { openBlank } from "./blank";
import { axeFindings } from "./inspect";
import { type Merchant, newMerchant } from "./merchant";
import { type Colleague, openOffice } from "./office";
import { settled, widths } from "./settled";
import { officeUrl } from "./site";

const dialog = (page: Page) => page.getByRole("dialog");
const words = (page: Page, language: "English" | "Tagalog") =>
  page.getByRole("group", { name: language, exact: true });
const preview = (page: Page) => page.getByRole("region", { name: "As players see it" });

/** Somebody's own browser in the office. */
async function browserOf(browser: Browser, who: Colleague, path: string): Promise<Page> {
  const page = await strangersPage(browser);
  await openOffice(page, who, path);
  return page;
}

async function openKind(page: Page, { code }: Merchant, kind: string): Promise<void> {
  await page.goto(`${officeUrl}/content?merchant=${code}&kind=${kind}`);
  await expect(page.getByRole("combobox", { name: "Merchant" })).toHaveValue(code);
}

async function save(page: Page, reason: string): Promise<void> {
  const field = page.getByRole("main").getByLabel("Reason");
  await field.fill(reason);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(field).toHaveValue("");
}

/** Writes something new; both languages have at least a title. */
async function write(page: Page, add: string, title: string): Promise<void> {
  await page.getByRole("link", { name: add }).click();
  await words(page, "English").getByLabel("Title").fill(title);
  await words(page, "Tagalog").getByLabel("Title").fill(`${title} TY`);
  await page.getByLabel("Players see it, within its time").check();
}

/** What the site of a merchant answers to a browser that speaks a language. */
async function told(player: Page, { url }: Merchant, path: string, lang: string): Promise<string> {
  await openBlank(player, url);
  return player.evaluate(async ([path, lang]) => (await fetch(`${path}&language=${lang}`)).text(), [
    path,
    lang,
  ] as const);
}

const banners = "/wps/banners?group=w_login";

test("a banner is on the site at once, and its history takes a change back", async ({
  page,
  browser,
}) => {
  const merchant = await newMerchant(page);
  const player = await strangersPage(browser);
  await openKind(page, merchant, "banner");
  await write(page, "New banner", "Fresh from the reef");
  await page.getByLabel("Where it stands").selectOption("w_login");
  await save(page, "the season begins");
  await expect(page.getByRole("heading", { name: "Fresh from the reef" })).toBeVisible();
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  expect(await told(player, merchant, banners, "EN")).toContain('"Fresh from the reef"');
  expect(await told(player, merchant, banners, "TY")).toContain('"Fresh from the reef TY"');

  await words(page, "English").getByLabel("Title").fill("Stale from the reef");
  await save(page, "a slip");
  await expect(page.getByRole("heading", { name: "Stale from the reef" })).toBeVisible();
  expect(await told(player, merchant, banners, "EN")).toContain('"Stale from the reef"');

  await page.getByRole("button", { name: "History" }).click();
  const first = dialog(page).getByRole("listitem").filter({ hasText: "the season begins" });
  await first.getByText("Version 1").click();
  await first.getByRole("button", { name: "Make it so again" }).click();
  await first.getByLabel("Reason").fill("it was right before");
  await first.getByRole("button", { name: "Make it so again" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(words(page, "English").getByLabel("Title")).toHaveValue("Fresh from the reef");
  expect(await told(player, merchant, banners, "EN")).toContain('"Fresh from the reef"');
  await player.context().close();
});

test("what is deleted is gone, and can be brought back", async ({ page }) => {
  const merchant = await newMerchant(page);
  await openKind(page, merchant, "help_section");
  await write(page, "New section", "Odds and ends");
  await save(page, "a place for the rest");
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByLabel("Reason").fill("nobody needs it");
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(dialog(page)).toHaveCount(0);
  const row = page.getByRole("row", { name: "Odds and ends" });
  await expect(page.getByRole("heading", { name: "Help sections" })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(row).toBeVisible();
});

test("the order is changed by keyboard, and the focus goes along", async ({ page }) => {
  const merchant = await newMerchant(page);
  for (const title of ["Alon", "Bangka"]) {
    await openKind(page, merchant, "banner");
    await write(page, "New banner", title);
    await page.getByLabel("Where it stands").selectOption("w_forgot");
    await save(page, "the order matters");
  }
  await openKind(page, merchant, "banner");
  await page.getByRole("combobox", { name: "Where it stands" }).selectOption("w_forgot");
  const last = page.locator("tbody tr").last();
  await expect(last).toContainText("Bangka");
  const up = page.getByRole("button", { name: "Move up: Bangka" });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect(last).toContainText("Alon");
  await expect(up).toBeFocused();
  await page.reload();
  await expect(last).toContainText("Alon");
});

test("two who write the same: the second is told by whom it was changed", async ({
  page,
  browser,
}) => {
  const merchant = await newMerchant(page);
  await openKind(page, merchant, "help_section");
  await write(page, "New section", "Money");
  await save(page, "a section");
  await expect(page).toHaveURL(/item=[0-9a-f-]{36}/);
  const other = await browserOf(
    browser,
    "content",
    new URL(page.url()).pathname + new URL(page.url()).search,
  );
  await words(other, "English").getByLabel("Title").fill("Money and time");
  await words(page, "English").getByLabel("Title").fill("Cash");
  await save(other, "time belongs to it");

  await page.getByRole("main").getByLabel("Reason").fill("shorter");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const note = page.getByRole("status").filter({ hasText: "while you were writing" });
  await expect(note).toContainText("content");
  await expect(words(page, "English").getByLabel("Title")).toHaveValue("Cash");
  await note.getByRole("button", { name: "Keep mine" }).click();
  await save(page, "shorter");
  await expect(page.getByRole("heading", { name: "Cash" })).toBeVisible();

  await words(other, "English").getByLabel("Title").fill("Time");
  await other.getByRole("main").getByLabel("Reason").fill("once more");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await other.getByRole("button", { name: "Load it" }).click();
  await expect(words(other, "English").getByLabel("Title")).toHaveValue("Cash");
  await other.context().close();
});

test("what is written is not lost without a word", async ({ page }) => {
  const merchant = await newMerchant(page);
  await openKind(page, merchant, "notice");
  await write(page, "New notice", "Half a thought");
  await page.getByRole("link", { name: "Promotions" }).click();
  await expect(dialog(page)).toContainText("Leave without saving?");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  const title = words(page, "English").getByLabel("Title");
  await expect(title).toHaveValue("Half a thought");

  // A reload asks first, too, and what was written is there afterwards.
  page.on("dialog", (asked) => void asked.accept());
  await page.reload();
  await expect(title).toHaveValue("Half a thought");
  await expect(page.getByText("are here again")).toBeVisible();
  await page.getByRole("link", { name: "Promotions" }).click();
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Promotions" })).toBeVisible();
  await openKind(page, merchant, "notice");
  await page.getByRole("link", { name: "New notice" }).click();
  await expect(title).toHaveValue("");
});

test("the preview shows what players get, and nothing that runs", async ({ page }) => {
  const merchant = await newMerchant(page);
  await openKind(page, merchant, "notice");
  await write(page, "New notice", "A greeting");
  const content = words(page, "English").getByLabel("Content", { exact: true });
  await content.fill('<p onclick="alert(1)">Hello</p><script>alert(2)</script><img src="x">');
  const panes = preview(page).locator(".theme");
  await expect(panes).toHaveCount(2);
  for (const pane of await panes.all()) {
    await expect(pane.locator("p", { hasText: "Hello" })).toBeVisible();
    await expect(pane.locator("script, img, [onclick]")).toHaveCount(0);
  }
  await content.fill("word");
  await content.selectText();
  await page.getByRole("group", { name: "Tools for: Content" }).first().getByText("Bold").click();
  await expect(content).toHaveValue("<strong>word</strong>");
  await expect(panes.first().locator("strong")).toHaveText("word");
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture is uploaded and seen; what is none is refused", async ({ page }) => {
  const merchant = await newMerchant(page);
  await openKind(page, merchant, "banner");
  await write(page, "New banner", "With a picture");
  const file = page.locator("input[type=file]");
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no") });
  await expect(page.getByText("This is no PNG, JPEG, WebP or APK.")).toBeVisible();
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: png });
  const address = page.getByLabel("Picture", { exact: true });
  await expect(address).toHaveValue(/^\/files\/[0-9a-f]+\.png$/);
  const image: Locator = page.getByRole("img", { name: "The picture that is chosen" });
  await expect(image).toHaveJSProperty("naturalWidth", 1);
  await save(page, "a picture says more");
  await expect(page.getByRole("heading", { name: "With a picture" })).toBeVisible();
});

test("an auditor reads content and changes none", async ({ page }) => {
  await openOffice(page, "auditor", "/content?kind=page");
  await expect(page.getByText("let you look at content, not change it")).toBeVisible();
  await expect(page.getByRole("link", { name: "New page" })).toHaveCount(0);
  await page.locator("tbody .row-link").first().click();
  await expect(words(page, "English").getByLabel("Title")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
});

for (const width of widths) {
  test(`content is sound at ${width.width} px`, async ({ page }) => {
    await page.setViewportSize(width);
    await openOffice(page, "content", "/content?kind=promotion");
    await page.locator("tbody .row-link").first().waitFor();
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator("tbody .row-link").first().click();
    await expect(preview(page)).toBeVisible();
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overhang).toBeLessThanOrEqual(0);
  });
}
