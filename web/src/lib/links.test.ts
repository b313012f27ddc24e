import { describe, expect, it } from "vitest";
import { innerPath, isOutside } from "./links";

const here = { origin: "https://capiz.example", href: "https://capiz.example/help?article=a" };

describe("a link in a text of staff", () => {
  it("goes through the router when it leads to a page of the site", () => {
    expect(innerPath("/promotions/welcome?x=1#terms", here)).toBe("/promotions/welcome?x=1#terms");
    expect(innerPath("https://capiz.example/fairness", here)).toBe("/fairness");
  });

  it("does not when it leads elsewhere or to a file", () => {
    expect(innerPath("https://other.example/", here)).toBeNull();
    expect(innerPath("//other.example/", here)).toBeNull();
    expect(innerPath("/downloads/ios.mobileconfig", here)).toBeNull();
    expect(innerPath("/files/ab.apk", here)).toBeNull();
    expect(innerPath("mailto:help@capiz.example", here)).toBeNull();
    expect(innerPath("javascript:alert(1)", here)).toBeNull();
    expect(innerPath("http://", here)).toBeNull();
  });

  it("opens a window of its own when it leads to another site", () => {
    expect(isOutside("https://other.example/a", here.origin)).toBe(true);
    expect(isOutside("/help", here.origin)).toBe(false);
    expect(isOutside("mailto:help@capiz.example", here.origin)).toBe(false);
  });
});
