// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { changeLanguage, currentLang, rememberLanguage } from "@/lib/i18n/i18n";
import { speakLanguageOf, tellLanguage } from "./member-language";

beforeEach(async () => {
  setBoot(sampleBoot("EN"));
  localStorage.clear();
  await changeLanguage("EN");
});
afterEach(() => vi.unstubAllGlobals());

describe("the member's language", () => {
  it("is spoken on a device that has no choice of its own", async () => {
    await speakLanguageOf({ account: "maria", language: "TY" });
    expect(currentLang()).toBe("TY");
    expect(localStorage.getItem("hisLang")).toBe("TY");
  });
  it("yields to what was chosen on this device", async () => {
    rememberLanguage("EN");
    await speakLanguageOf({ account: "maria", language: "TY" });
    expect(currentLang()).toBe("EN");
  });
  it.each([null, undefined, "JA", "XX"])("is left alone where it is %s", async (language) => {
    await speakLanguageOf({ account: "maria", ...(language !== undefined && { language }) });
    expect(currentLang()).toBe("EN");
  });
  it("is told to the server, whose silence does no harm", async () => {
    const fetch = vi.fn(() => Promise.reject(new TypeError("no line")));
    vi.stubGlobal("fetch", fetch);
    await expect(tellLanguage("TY")).resolves.toBeUndefined();
    expect(fetch).toHaveBeenCalledWith(
      "/wps/member/language",
      expect.objectContaining({ method: "PUT", body: JSON.stringify({ language: "TY" }) }),
    );
  });
});
