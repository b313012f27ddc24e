import { describe, expect, it } from "vitest";
import { checkMessages } from "./i18n-check.mjs";

const good = {
  en: { "core.json": { "a.one": "One {0}", "a.two": "Two" } },
  fil: { "core.json": { "a.one": "Isa {0}", "a.two": "Dalawa" } },
};
const sources = `t("a.one", 1); t('a.two')`;

describe("checkMessages", () => {
  it("finds nothing wrong with equal languages whose keys are all used", () => {
    expect(checkMessages(good, sources)).toEqual([]);
  });

  it("names a missing and a superfluous key", () => {
    const languages = { ...good, fil: { "core.json": { "a.one": "Isa {0}", "a.three": "Tatlo" } } };
    expect(checkMessages(languages, sources)).toEqual([
      "fil: a.two is missing",
      "fil: a.three does not exist in English",
    ]);
  });

  it("names other placeholders", () => {
    const languages = { ...good, fil: { "core.json": { "a.one": "Isa", "a.two": "Dalawa" } } };
    expect(checkMessages(languages, sources)).toEqual([
      "fil: a.one has other placeholders than English",
    ]);
  });

  it("names a key that two files hold", () => {
    const languages = { en: { ...good.en, "b.json": { "a.two": "Zwei" } } };
    expect(checkMessages(languages, sources)).toEqual([
      "en: a.two stands in core.json and in b.json",
    ]);
  });

  it("names a key that nothing uses", () => {
    expect(checkMessages(good, `t("a.one")`)).toEqual(["en: a.two is used nowhere"]);
  });
});
