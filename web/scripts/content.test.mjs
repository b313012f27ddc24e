import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { contentPictures } from "./art/content.mjs";

/** The content that every site begins with. */
const folder = new URL("../../domains/content/seeds/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const items = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .flatMap(read);
const of = (kind) => items.filter((item) => item.kind === kind);
const nameOf = ({ kind, slot, position }) => `${kind} ${slot} ${position}`;

/** What each kind has beside its place: the fields of its data, and of its words. */
const SHAPES = {
  banner: [
    ["image", "linkageType", "url"],
    ["alt", "text", "title"],
  ],
  announcement: [
    ["execution", "promotion", "promotionType", "type"],
    ["content", "title"],
  ],
  notice: [[], ["content", "title"]],
  help_section: [[], ["title"]],
  help_article: [
    ["section", "slug"],
    ["content", "title"],
  ],
  page: [[], ["content", "title"]],
  promotion: [
    ["image", "slug", "type"],
    ["content", "summary", "terms", "title"],
  ],
  download: [["bytes", "url", "version"], ["name"]],
};
const HTML = new Set(["content", "terms"]);
const TAGS = new Set(
  "p h2 h3 ul ol li strong em a table thead tbody tr th td br blockquote".split(" "),
);
const TYPES =
  "OTHER SPORTS LIVE SLOTS CARD FISH LOTTO REBATE POINTS RANK DEPOSIT DOWNLOAD NEWPLAYER".split(
    " ",
  );
/** Pages that a text may lead to, besides games, promotions and articles. */
const ROUTES = new Set(
  "/ /login /register /help /down /rng /hot /promotions /pointMall /seamless /join /fairness /verify /transactionHistory /proof /securityCenter /terms /privacy /responsible /about".split(
    " ",
  ),
);
/** Whom we send players to for help. */
const OUTSIDE = new Set(["https://www.gamblingtherapy.org", "https://www.gamblersanonymous.org"]);

const games = JSON.parse(readFileSync(new URL("./art/codes.json", import.meta.url), "utf8"));
const gameCodes = new Set(games.map((game) => game.code ?? game));
const slugs = (kind) => of(kind).map(({ data }) => data.slug);

function leadsSomewhere(link) {
  if (OUTSIDE.has(link) || ROUTES.has(link)) return true;
  const [, place, name] = /^\/(play|promotions)\/([\w-]+)$/.exec(link) ?? [];
  if (place === "play") return gameCodes.has(name);
  if (place === "promotions") return slugs("promotion").includes(name);
  return slugs("help_article").includes(/^\/help\?article=([\w-]+)$/.exec(link)?.[1]);
}

/** Every text with the field that it stands in. */
const texts = items.flatMap((item) =>
  Object.entries(item.texts).flatMap(([language, words]) =>
    Object.entries(words).map(([field, text]) => ({
      name: `${nameOf(item)} ${language} ${field}`,
      field,
      text,
    })),
  ),
);

/** The names of tags in their order; a tag that is not closed in its turn is called `torn`. */
function tagsOf(html) {
  const open = [];
  const names = [];
  for (const [, end, name] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    names.push(end && open.pop() !== name ? "torn" : name);
    if (!end && name !== "br") open.push(name);
  }
  return open.length > 0 ? [...names, "torn"] : names;
}

/** Whether a text is plain, or HTML of the allowed tags with no attribute but where a link leads. */
function isClean({ field, text }) {
  if (!HTML.has(field)) return !/[<>&]/.test(text);
  const attributes = [...text.matchAll(/<([a-z0-9]+)(\s[^>]*)>/g)];
  return (
    tagsOf(text).every((tag) => TAGS.has(tag)) &&
    attributes.every(([, tag, rest]) => tag === "a" && /^ href="[^"]+"$/.test(rest)) &&
    !text.replace(/&(amp|lt|gt);/g, "").includes("&")
  );
}

const linksOf = (text) => [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);

describe("the content that a site begins with", () => {
  it("has what its kind needs, in both languages, and nothing else", () => {
    for (const item of items) {
      const [data, words] = SHAPES[item.kind];
      expect(Object.keys(item.data).toSorted(), nameOf(item)).toEqual(data);
      expect(Object.keys(item.texts), nameOf(item)).toEqual(["EN", "TY"]);
      for (const language of Object.values(item.texts))
        expect(Object.keys(language).toSorted(), nameOf(item)).toEqual(words);
    }
    expect(texts.filter(({ text }) => text.trim() === "")).toEqual([]);
  });

  it("says it in Tagalog in the same parts as in English", () => {
    for (const item of items) {
      const parts = ({ content = "", terms = "" }) => tagsOf(content + terms);
      expect(parts(item.texts.TY), nameOf(item)).toEqual(parts(item.texts.EN));
    }
  });

  it("uses the allowed tags only, with no attribute but where a link leads", () => {
    expect(texts.filter((text) => !isClean(text)).map(({ name }) => name)).toEqual([]);
  });

  it("leads to pages, games, promotions and articles that there are", () => {
    const links = [
      ...texts.flatMap(({ text }) => linksOf(text)),
      ...of("banner").flatMap(({ data }) => (data.linkageType === "NONE" ? [] : [data.url])),
    ];
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
    for (const { data } of of("announcement")) {
      const promotion = of("promotion").find((other) => other.data.slug === data.promotion);
      expect(promotion?.data.type).toBe(data.promotionType);
    }
  });

  it("shows pictures that are drawn", () => {
    const drawn = new Set(contentPictures().map(([path]) => `/art/${path}`));
    const shown = items.flatMap(({ data }) => data.image ?? []);
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((image) => !drawn.has(image))).toEqual([]);
  });

  it("gives everything an address and a place of its own", () => {
    for (const kind of ["promotion", "help_article"]) {
      expect(new Set(slugs(kind)).size).toBe(of(kind).length);
      for (const slug of slugs(kind)) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
    expect(new Set(items.map(nameOf)).size).toBe(items.length);
    const sections = of("help_section").map(({ slot }) => slot);
    for (const { data } of of("help_article")) expect(sections).toContain(data.section);
    for (const slot of sections)
      expect(of("help_article").some(({ data }) => data.section === slot)).toBe(true);
  });

  it("is whole: every group, page, type, device and audience", () => {
    const groups = of("banner").map(({ slot }) => slot);
    expect(groups.filter((slot) => slot === "w_home").length).toBe(4);
    expect(new Set(groups)).toEqual(new Set(["w_home", "w_login", "w_register", "w_forgot"]));
    expect(of("page").map(({ slot }) => slot)).toEqual([
      "terms",
      "privacy",
      "responsible",
      "about",
    ]);
    expect(of("download").map(({ slot }) => slot)).toEqual(["ANDROID", "IOS", "IOS_LITE"]);
    expect(new Set(of("promotion").map(({ data }) => data.type))).toEqual(new Set(TYPES));
    const announced = of("announcement").map(({ data }) => data.execution ?? data.type);
    expect(announced).toEqual(["A", "B", "F", "H"]);
    // More than one page of nine.
    expect(of("notice").length).toBeGreaterThan(9);
    expect(of("help_section").length).toBeGreaterThanOrEqual(6);
    expect(of("help_article").length).toBeGreaterThanOrEqual(22);
  });
});
