import { describe, expect, it } from "vitest";
import { gamesOf } from "./filter";

const merchant = "0197c000-0000-7000-8000-000000000000";

describe("what games are looked for", () => {
  it("is all of them at first", () => {
    expect(gamesOf({})).toEqual({ pageSize: 50, pageNo: 1 });
  });
  it("is narrowed by what the address has", () => {
    const search = { q: " reef ", merchant, vassalage: "CAPIZ", state: "hidden", page: "3" };
    expect(gamesOf(search)).toEqual({
      pageSize: 50,
      pageNo: 3,
      search: "reef",
      merchantId: merchant,
      vassalage: "CAPIZ",
      visible: false,
    });
    expect(gamesOf({ state: "maintenance" }).maintenance).toBe(true);
  });
  it("does not believe nonsense", () => {
    expect(gamesOf({ page: "-1", merchant: "x", state: "hidden" })).toEqual({
      pageSize: 50,
      pageNo: 1,
    });
  });
});
