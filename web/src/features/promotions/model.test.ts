import { describe, expect, it } from "vitest";
import { ofType, promotionTypes, typeInSearch, typeOf } from "./model";

const card = (slug: string, type: string) => ({
  id: slug,
  slug,
  type,
  title: slug,
  summary: "",
  image: null,
  startsAt: "2026-11-01T00:00:00Z",
  endsAt: null,
});

describe("the kinds of promotions", () => {
  it("are fourteen, each once", () => {
    expect(new Set(promotionTypes).size).toBe(14);
  });
  it("sort the cards", () => {
    const cards = [card("a", "SLOTS"), card("b", "REBATE"), card("c", "ASTROLOGY")];
    expect(ofType(cards, "ALL")).toHaveLength(3);
    expect(ofType(cards, "SLOTS").map(({ slug }) => slug)).toEqual(["a"]);
    expect(ofType(cards, "OTHER").map(({ slug }) => slug)).toEqual(["c"]);
  });
  it("are read from the address with care", () => {
    expect(typeInSearch({ type: "FISH" })).toBe("FISH");
    expect(typeInSearch({ type: "fish" })).toBe("ALL");
    expect(typeInSearch({})).toBe("ALL");
    expect(typeOf("RANK")).toBe("RANK");
  });
});
