import { describe, expect, it } from "vitest";
import { fits, queryOf, readFilter } from "./filter";

const ana = {
  id: "1",
  username: "ana.cruz",
  name: "Ana Cruz",
  roles: ["cashier"],
  isActive: true,
  createdAt: "2026-11-15T12:00:00Z",
  lastLoginAt: null,
};

describe("the people's filter", () => {
  it("shows open accounts unless the address asks for others", () => {
    expect(readFilter({})).toEqual({ who: "", role: "", state: "active" });
    expect(readFilter({ state: "nonsense" }).state).toBe("active");
    expect(readFilter({ state: "closed" }).state).toBe("closed");
  });
  it("asks the server for what is given, and for no state where all are meant", () => {
    expect(queryOf(readFilter({}))).toEqual({ state: "active" });
    expect(queryOf(readFilter({ state: "all" }))).toEqual({});
    const asked = { who: " ana ", role: "cashier", state: "closed" };
    expect(queryOf(readFilter(asked))).toEqual({ text: "ana", role: "cashier", state: "closed" });
  });
  it("looks for the text in both names, and for the role and the state", () => {
    const filter = readFilter({});
    expect(fits(ana, filter)).toBe(true);
    expect(fits(ana, { ...filter, who: " CRUZ" })).toBe(true);
    expect(fits(ana, { ...filter, who: "ana.c" })).toBe(true);
    expect(fits(ana, { ...filter, who: "ben" })).toBe(false);
    expect(fits(ana, { ...filter, role: "auditor" })).toBe(false);
    expect(fits({ ...ana, isActive: false }, filter)).toBe(false);
    expect(fits({ ...ana, isActive: false }, { ...filter, state: "all" })).toBe(true);
  });
});
