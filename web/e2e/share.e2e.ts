import { expect, test } from "./test";
import words from "../src/locales/en/core.json" with { type: "json" };

/** What a document says of itself before any script runs. */
function said(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
}

test("pages say what they are, with a picture for those who share them", async ({ request }) => {
  const titles = new Set<string>();
  for (const path of ["/", "/promotions", "/fairness", "/down", "/help"]) {
    const html = await (await request.get(path)).text();
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
    expect(title, path).toContain("Capiz");
    titles.add(title);
    expect(said(html, "description")?.length, path).toBeGreaterThan(20);
    expect(html, path).toMatch(/<link rel="canonical" href="http[^"]*" \/>/);
    const picture = new URL(said(html, "og:image") ?? "").pathname;
    const answer = await request.get(picture);
    expect(answer.ok(), picture).toBe(true);
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
  expect(titles.size).toBe(5);
});

test("pages are described in the visitor's language", async ({ request }) => {
  const english = await (await request.get("/terms")).text();
  const tagalog = await (await request.get("/terms", { headers: { cookie: "lang=TY" } })).text();
  expect(said(english, "description")).not.toBe(said(tagalog, "description"));
  expect(said(tagalog, "og:locale")).toBe("fil_PH");
});

test("what is personal or not there is not offered to search engines", async ({ request }) => {
  for (const path of ["/transactionHistory", "/securityCenter", "/no-such-page"]) {
    expect(said(await (await request.get(path)).text(), "robots"), path).toBe("noindex");
  }
  expect(said(await (await request.get("/promotions")).text(), "robots")).toBeUndefined();
});

test("the site can be installed: its icons are there", async ({ request }) => {
  const manifest = (await (await request.get("/manifest.webmanifest")).json()) as {
    name: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.name).toBe("Capiz");
  for (const { src } of manifest.icons) expect((await request.get(src)).ok(), src).toBe(true);
  expect((await request.get("/icons/apple-touch-180.png")).ok()).toBe(true);
});

test("every page of the sitemap is one", async ({ page, request }) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, url]) => new URL(url ?? "").pathname,
  );
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    expect((await request.get(path)).status(), path).toBe(200);
    await page.goto(path);
    await expect(page.locator("main h1, dialog h2").first(), path).toBeVisible();
    await expect(page.getByText(words["not_found.title"]), path).toHaveCount(0);
  }
});
