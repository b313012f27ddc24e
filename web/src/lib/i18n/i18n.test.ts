// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  changeLanguage,
  currentLang,
  fill,
  loadMessages,
  onLanguageChange,
  rememberLanguage,
  setPseudo,
  startLanguage,
  t,
} from "./i18n";
import { languageTags, shippedLanguages } from "./languages";

afterEach(async () => {
  setPseudo(false);
  localStorage.clear();
  await changeLanguage("EN");
});

describe("fill", () => {
  it("puts arguments into their places, twice if need be", () => {
    expect(fill("{1} of {0}, {1}", [10, "3"])).toBe("3 of 10, 3");
  });
  it("leaves a placeholder without argument visible", () => {
    expect(fill("{0} and {1}", ["one"])).toBe("one and {1}");
  });
  it("does not fill what an argument holds", () => {
    expect(fill("{0} {1}", ["{1}", "x"])).toBe("{1} x");
  });
});

describe("t", () => {
  it("speaks the chosen language", async () => {
    await changeLanguage("EN");
    expect(t("header.login")).toBe("Log in");
    await changeLanguage("TY");
    expect(t("header.login")).toBe("Mag-login");
    expect(t("home.returns", "99%")).toBe("Balik 99%");
  });

  it("loads what was already wanted when the language changes", async () => {
    await changeLanguage("EN");
    await loadMessages("auth");
    expect(t("auth.reset")).toBe("Reset");
    await changeLanguage("TY");
    expect(t("auth.reset")).toBe("I-reset");
  });

  it("has what was asked for during a change in the new language", async () => {
    await changeLanguage("EN");
    const changed = changeLanguage("TY");
    const loaded = loadMessages("content");
    await Promise.all([changed, loaded]);
    expect(t("content.terms")).toBe("Mga tuntunin");
  });

  it("holds the later of two changes, whichever is loaded first", async () => {
    await Promise.all([changeLanguage("TY"), changeLanguage("EN")]);
    expect(currentLang()).toBe("EN");
  });

  it("tells listeners of a change", async () => {
    const seen: string[] = [];
    const stop = onLanguageChange(() => seen.push(currentLang()));
    await changeLanguage("TY");
    stop();
    await changeLanguage("EN");
    expect(seen).toEqual(["TY"]);
  });

  it("shows keys in the pseudo-locale", () => {
    setPseudo(true);
    expect(t("home.returns", "99%")).toBe("[[home.returns]]");
  });
});

describe("the choice of language", () => {
  it("is kept in both keys and in the cookie", () => {
    rememberLanguage("TY");
    expect(localStorage.getItem("lang")).toBe("TY");
    expect(localStorage.getItem("hisLang")).toBe("TY");
    expect(document.cookie).toContain("lang=TY");
    expect(startLanguage("EN")).toBe("TY");
  });
  it("is kept in a cookie that is Secure where the page is", () => {
    const written = vi.spyOn(document, "cookie", "set");
    rememberLanguage("TY");
    vi.stubGlobal("location", { protocol: "https:" });
    rememberLanguage("TY");
    vi.unstubAllGlobals();
    expect(written.mock.calls.map(([text]) => text.endsWith("; secure"))).toEqual([false, true]);
    written.mockRestore();
  });
  it("falls back to the server's when nothing valid is kept", () => {
    localStorage.setItem("lang", "XX");
    expect(startLanguage("TY")).toBe("TY");
  });
});

describe("the table of codes", () => {
  it("has 36 codes with valid tags, the shipped ones among them", () => {
    const tags = Object.values(languageTags);
    expect(tags).toHaveLength(36);
    expect(new Set(tags).size).toBe(36);
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
    expect(shippedLanguages.map(({ code }) => languageTags[code])).toEqual(["en", "fil"]);
  });
});
