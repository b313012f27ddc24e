import { describe, expect, it } from "vitest";
import { queryOf, readFilter } from "./filter";

describe("the filter of requests", () => {
  it("shows what is open unless the address asks for others", () => {
    expect(readFilter({})).toEqual({ state: "open", kind: "", by: "" });
    expect(readFilter({ state: "odd", kind: "odd", by: "odd" })).toEqual(readFilter({}));
    expect(queryOf({ state: "all" })).toEqual({ limit: 50 });
  });
  it("asks for what the address names", () => {
    const before = "0197c000-0000-7000-8000-000000000000";
    expect(queryOf({ state: "done", kind: "wallet.correct", by: "me", before })).toEqual({
      limit: 50,
      state: "done",
      kind: "wallet.correct",
      by: "me",
      before,
    });
    expect(queryOf({ before: "7" })).toEqual({ limit: 50, state: "open" });
  });
});
