import { expect, test } from "./test";
import { settled } from "./settled";

const english = "The house you can see through";
const tagalog = "Ang pustahang walang itinatago";

test("a change of language holds", async ({ page, context }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await settled(page);
  await page.getByRole("banner").getByLabel("Language").selectOption("TY");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(tagalog);
  await expect(page.locator("html")).toHaveAttribute("lang", "fil");
  await expect(page).toHaveTitle(/pustahang/);
  expect(await page.evaluate(() => [localStorage["lang"], localStorage["hisLang"]])).toEqual([
    "TY",
    "TY",
  ]);
  expect((await context.cookies()).find(({ name }) => name === "lang")?.value).toBe("TY");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(tagalog);
  await page.goto("/fairness");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Patas, at masusuri mo");
  await page.getByRole("banner").getByLabel("Wika").selectOption("EN");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fair, and you can check it");
});

test("a choice that has lost its cookie still holds for all that the house says", async ({
  page,
  context,
}) => {
  await page.addInitScript(() => localStorage.setItem("lang", "TY"));
  await page.goto("/");
  await expect(page.locator(".banners")).toContainText("suriin kami");
  await expect(page.locator(".marquee")).toContainText("Bukas na ang help center");
  expect((await context.cookies()).find(({ name }) => name === "lang")?.value).toBe("TY");
});

test("the server sends the document in the language of the cookie or of the browser", async ({
  request,
}) => {
  const read = async (headers: Record<string, string>) => {
    const html = await (await request.get("/", { headers })).text();
    return { tag: /<html[^>]* lang="([^"]+)"/.exec(html)?.[1], html };
  };
  const byCookie = await read({ Cookie: "lang=TY", "Accept-Language": "en" });
  expect(byCookie.tag).toBe("fil");
  expect(byCookie.html).toContain(tagalog);
  expect((await read({ "Accept-Language": "fil-PH, en;q=0.5" })).html).toContain(tagalog);
  expect((await read({ Cookie: "lang=EN", "Accept-Language": "fil" })).html).toContain(english);
  expect((await read({ "Accept-Language": "de" })).tag).toBe("en");
});
