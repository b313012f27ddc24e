import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Translate } from "@/lib/i18n/i18n";
import type { Brand, SwitchRow } from "./api";
import { brandOf, itemsOf, valuesOf } from "./brand-form";
import { inFormOrder } from "./fields";
import { queryOf, settingText } from "./history";
import { findSwitches, isInForce, openWays, shutsOut, switchWords } from "./switches";
import { chosenOf, searchOf, tabOf } from "./tabs";

const t: Translate = (key) => key;
const tree = (off: readonly string[] = []) => {
  const row = (modId: string, parent: string | null): SwitchRow => ({
    modId,
    parent,
    enabled: !off.includes(modId),
    isAsked: true,
  });
  return [
    row("LOGIN", null),
    row("COMM3", "LOGIN"),
    row("MOBILEVERCODELOGIN3", "LOGIN"),
    row("REGISTER", null),
    row("DIRECTREG3", "REGISTER"),
    row("USERNAMEREG3", "REGISTER"),
    row("MOBILENUMREG3", "REGISTER"),
  ];
};

describe("switches", () => {
  it("have words each", () => {
    const source = readFileSync("../domains/site/src/switches.rs", "utf8");
    const known = [...source.matchAll(/^ {4}known\("(\w+)"/gm)].map(([, name]) => name ?? "");
    expect(known).toContain("COMM3");
    expect(Object.keys(switchWords).toSorted()).toEqual(known.toSorted());
  });
  it("are off where one above them is", () => {
    expect(isInForce(tree(), "COMM3")).toBe(true);
    expect(isInForce(tree(["LOGIN"]), "COMM3")).toBe(false);
    expect(isInForce(tree(), "NOPE")).toBe(false);
  });
  it("are found by name and sentence, with what is above them", () => {
    const names = (text: string) => findSwitches(tree(), text, t).map(({ modId }) => modId);
    expect(names("comm3")).toEqual(["LOGIN", "COMM3"]);
    expect(names("direct")).toEqual(["REGISTER", "DIRECTREG3"]);
    expect(names("no such thing")).toEqual([]);
    expect(names("")).toHaveLength(7);
  });
  it("say when the last way closes", () => {
    expect(shutsOut(tree(), "COMM3")).toBeNull();
    expect(shutsOut(tree(["MOBILEVERCODELOGIN3"]), "COMM3")).toBe("login");
    expect(shutsOut(tree(), "LOGIN")).toBe("login");
    expect(shutsOut(tree(["LOGIN"]), "COMM3")).toBeNull();
    expect(shutsOut(tree(), "DIRECTREG3")).toBe("register");
    expect(shutsOut(tree(["USERNAMEREG3"]), "MOBILENUMREG3")).toBe("register");
    expect(openWays(tree(["DIRECTREG3"])).register).toEqual([]);
  });
});

describe("the address", () => {
  it("names a tab and a merchant, and falls back where it names none", () => {
    expect(tabOf({})).toBe("site");
    expect(tabOf({ tab: "brand" })).toBe("brand");
    expect(tabOf({ tab: "../../etc" })).toBe("site");
    const merchants = [{ code: "one" }, { code: "two" }];
    expect(chosenOf(merchants, { merchant: "two" })?.code).toBe("two");
    expect(chosenOf(merchants, { merchant: "three" })?.code).toBe("one");
    expect(chosenOf([], {})).toBeUndefined();
  });
  it("keeps the merchant from tab to tab, and nothing else", () => {
    expect(searchOf("brand", { merchant: "two", text: "x", before: "7" })).toEqual({
      merchant: "two",
      tab: "brand",
    });
    expect(searchOf("site", {})).toEqual({});
  });
  it("asks for changes, without what makes no sense", () => {
    expect(queryOf({ kind: "switch", name: "COMM3", actor: " ana ", before: "12" })).toEqual({
      limit: 50,
      kind: "switch",
      name: "COMM3",
      actor: "ana",
      before: 12,
    });
    expect(queryOf({ kind: "theme", before: "-1", name: "" })).toEqual({ limit: 50 });
  });
});

describe("a setting in words", () => {
  it("is its kind and its name", () => {
    expect(settingText({ kind: "maintenance", name: "" }, t)).toBe("settings.maintenance");
    expect(settingText({ kind: "switch", name: "COMM3" }, t)).toBe(
      "settings.kind_switch: settings.sw_username_login",
    );
    expect(settingText({ kind: "policy", name: "*" }, t)).toContain("settings.everywhere");
    expect(settingText({ kind: "host", name: "a.example" }, t)).toContain("a.example");
    expect(settingText({ kind: "newer", name: "x" }, t)).toBe("newer: x");
  });
  it("fields stand in the order of the form, unknown ones last", () => {
    expect(inFormOrder(["wechat", "shoeSize", "username", "email"])).toEqual([
      "username",
      "email",
      "wechat",
      "shoeSize",
    ]);
  });
});

describe("the brand's form", () => {
  const brand: Brand = {
    domainRoute: "/",
    resources: [
      { labelNameEn: "Us", name: "us", resourceType: "TELEGRAM", url: "https://t.example" },
    ],
    customerService: null,
    analyticsId: "G-1",
    imageCDNs: ["https://a.example", "https://b.example"],
    launchGameCDNs: [],
    languages: ["EN", "TY"],
    defaultLanguage: "EN",
    lotteryType: "Elott",
    centerGameList: ["RNG", "HOT"],
    esportProviders: ["AV"],
    cockfightProviders: [],
    prizeModes: ["SEA"],
    gameTypeLabels: { SC: "Scratch", BG: "Bingo" },
  };
  it("gives back what it was given", () => {
    expect(brandOf(valuesOf(brand), brand.resources)).toEqual(brand);
  });
  it("takes empty texts for nothing", () => {
    const values = { ...valuesOf(brand), analyticsId: " ", labelSC: "", prizeModes: " ,, " };
    const changed = brandOf(values, []);
    expect(changed.analyticsId).toBeNull();
    expect(changed.gameTypeLabels).toEqual({ BG: "Bingo" });
    expect([changed.prizeModes, changed.resources]).toEqual([[], []]);
  });
  it("reads lists with commas, spaces and lines between", () => {
    expect(itemsOf("A, B\nC  D,")).toEqual(["A", "B", "C", "D"]);
  });
});
