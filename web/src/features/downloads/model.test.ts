import { describe, expect, it } from "vitest";
import { codeTarget, sizeText } from "./model";

describe("a way to have the app", () => {
  it("says how large its file is", () => {
    expect(sizeText(12_345_678, "en")).toBe("12.3 MB");
  });
  it("has a code that leads to its file, or to the page that installs the site", () => {
    const origin = "https://capiz.example";
    expect(codeTarget({ url: "/downloads/ios.mobileconfig" }, origin)).toBe(
      "https://capiz.example/downloads/ios.mobileconfig",
    );
    expect(codeTarget({ url: null }, origin)).toBe("https://capiz.example/down");
    expect(codeTarget({ url: "https://cdn.example/a.apk" }, origin)).toBe(
      "https://cdn.example/a.apk",
    );
  });
});
