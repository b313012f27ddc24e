import { describe, expect, it } from "vitest";
import type { Banner } from "@/lib/boot/boot";
import { bannerTarget } from "./banner-link";

function target(linkageType: Banner["linkageType"], url: string | null) {
  const words = { title: "", text: null, image: null, alt: "" };
  return bannerTarget({ id: "1", groupName: "w_home", ...words, url, linkageType });
}

describe("where a banner leads", () => {
  it("follows from its kind", () => {
    expect(target("ROUTE", "/fairness")).toEqual({ href: "/fairness", isOurs: true });
    expect(target("GAME", "dice")).toEqual({ href: "/play/dice", isOurs: true });
    expect(target("GAME", "/play/dice")).toEqual({ href: "/play/dice", isOurs: true });
    expect(target("PROMOTION", "welcome")?.href).toBe("/promotions/welcome");
    expect(target("OUTSIDE", "https://example.com/a")).toEqual({
      href: "https://example.com/a",
      isOurs: false,
    });
    expect(target("VIDEO", "https://youtu.be/abc")?.isOurs).toBe(false);
  });

  it("is nowhere without a usable address", () => {
    expect(target("NONE", "/fairness")).toBeNull();
    expect(target("ROUTE", null)).toBeNull();
    expect(target("ROUTE", "//example.com")).toBeNull();
    expect(target("ROUTE", "/\\example.com")).toBeNull();
    expect(target("ROUTE", "javascript:alert(1)")).toBeNull();
    expect(target("OUTSIDE", "javascript:alert(1)")).toBeNull();
    expect(target("PROMOTION", "//example.com")).toBeNull();
  });
});
