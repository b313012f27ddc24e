import { describe, expect, it } from "vitest";
import { noticeTime, promotionPath, searchHelp } from "./model";

describe("the time of a notice", () => {
  it("is the merchant's, from year to second", () => {
    expect(noticeTime("1794786845000", "Asia/Manila")).toBe("2026-11-16 07:54:05");
    expect(noticeTime("1794758400000", "Asia/Manila")).toBe("2026-11-16 00:00:00");
  });
  it("is empty where there is none", () => {
    expect(noticeTime("", "Asia/Manila")).toBe("");
    expect(noticeTime("soon", "Asia/Manila")).toBe("");
  });
});

describe("the search of the help center", () => {
  const article = (slug: string, title: string, content: string) => ({
    id: slug,
    slug,
    title,
    content,
  });
  const sections = [
    {
      id: "1",
      title: "Account",
      articles: [article("lost", "I lost my password", "<p>Ask for a <strong>link</strong>.</p>")],
    },
    { id: "2", title: "Money", articles: [article("peso", "Ang piso", "<p>Sa señas.</p>")] },
  ];
  it("shows everything when nothing is asked", () => {
    expect(searchHelp(sections, "  ")).toEqual(sections);
  });
  it("wants every word, in title or text, whatever its case and accents", () => {
    expect(searchHelp(sections, "PASSWORD link").map(({ id }) => id)).toEqual(["1"]);
    expect(searchHelp(sections, "senas").map(({ id }) => id)).toEqual(["2"]);
    expect(searchHelp(sections, "password piso")).toEqual([]);
  });
  it("does not find the names of tags", () => {
    expect(searchHelp(sections, "strong")).toEqual([]);
  });
});

describe("the way from an announcement", () => {
  it("leads to its promotion, else to those of its kind", () => {
    expect(promotionPath({ promotion: "welcome", promotionType: "NEWPLAYER" })).toBe(
      "/promotions/welcome",
    );
    expect(promotionPath({ promotion: null, promotionType: "SLOTS" })).toBe(
      "/promotions?type=SLOTS",
    );
    expect(promotionPath({ promotion: null, promotionType: null })).toBeNull();
  });
});
