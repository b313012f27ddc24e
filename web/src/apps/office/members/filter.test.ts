import { describe, expect, it } from "vitest";
import { startOfDay } from "../clock";
import { membersOf, numberIn, recordOf, roundsOf } from "./filter";

describe("membersOf", () => {
  it("asks for what is given and nothing else", () => {
    expect(membersOf({})).toEqual({});
    expect(membersOf({ who: " 0917 123 ", state: "frozen", kind: "", tab: "x" })).toEqual({
      q: "0917 123",
      state: "frozen",
    });
  });
  it("asks for an order only where nothing is looked for", () => {
    expect(membersOf({ order: "registered" })).toEqual({ order: "oldest" });
    expect(membersOf({ order: "-registered" })).toEqual({});
    expect(membersOf({ order: "registered", who: "maria" })).toEqual({ q: "maria" });
  });
});

describe("recordOf", () => {
  it("reads amounts as people type them and leaves out what is none", () => {
    expect(recordOf({ least: "1,250.50", most: "a lot" })).toEqual({ least: "1250.50" });
  });
  it("has the last day included", () => {
    expect(recordOf({ from: "2026-11-14", until: "2026-11-14" })).toEqual({
      from: startOfDay("2026-11-14"),
      until: startOfDay("2026-11-15"),
    });
    expect(roundsOf({ game: "dice", from: "soon" })).toEqual({ game: "dice" });
  });
});

describe("numberIn", () => {
  it("takes whole numbers above zero only", () => {
    expect(numberIn({ transfer: "12" }, "transfer")).toBe(12);
    for (const transfer of ["0", "-1", "1.5", "x", ""]) {
      expect(numberIn({ transfer }, "transfer")).toBeUndefined();
    }
    expect(numberIn({}, "transfer")).toBeUndefined();
  });
});
