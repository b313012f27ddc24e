import { describe, expect, it } from "vitest";
import { readFilters, wantedOf, writeFilters } from "./filters";
import { throttled } from "./throttle";

describe("filters", () => {
  it("come from the address and go back to it", () => {
    const search = { q: "pearl", vassalage: "CAPIZ", label: "JP", sort: "name" };
    expect(writeFilters(readFilters(search))).toEqual(search);
  });
  it("leave out what is usual and what makes no sense", () => {
    for (const search of [
      {},
      { sort: "popular" },
      { label: "XX", sort: 7, q: {}, vassalage: null },
    ]) {
      expect(writeFilters(readFilters(search))).toEqual({});
    }
    expect(readFilters({ q: 777 }).q).toBe("777");
    expect(readFilters({ q: "x".repeat(100) }).q).toHaveLength(64);
  });
  it("become what the server is asked for", () => {
    expect(wantedOf("RNG", readFilters({ q: " reef ", label: "JP", sort: "newest" }))).toEqual({
      gameType: "RNG",
      gameClassify: "JP",
      search: "reef",
      sort: "newest",
    });
    expect(wantedOf(undefined, readFilters({}))).toEqual({});
  });
});

describe("throttled", () => {
  it("lets one of many through in a while", () => {
    let now = 0;
    let runs = 0;
    const once = throttled(1000, () => now);
    const results = [0, 10, 999, 1000, 1500, 2000].map((time) => {
      now = time;
      return once(() => runs++);
    });
    expect(results).toEqual([true, false, false, true, false, true]);
    expect(runs).toBe(3);
  });
});
