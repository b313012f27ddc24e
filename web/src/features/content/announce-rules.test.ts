// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { closedKey, executionsOf, forVisitors, noteInside } from "./announce-rules";

const kept = (value: string | null) => ({ getItem: () => value });

describe("announcements", () => {
  it("are those before a log-in for visitors", () => {
    expect(executionsOf(false, kept(null))).toEqual(["B"]);
    expect(closedKey(false)).toBe("ANONYMOUS_POPUP");
  });
  it("are those for members after it, with those for newcomers the first time", () => {
    expect(executionsOf(true, kept(null))).toEqual(["A"]);
    expect(executionsOf(true, kept("1"))).toEqual(["F", "A"]);
    expect(closedKey(true)).toBe("USER_POPUP");
  });
  it("invite nobody who has been inside on this browser, whatever was logged out since", () => {
    localStorage.clear();
    const invitation = { execution: "B", promotionType: "NEWPLAYER" } as const;
    const news = { execution: "B", promotionType: "OTHER" } as const;
    expect(forVisitors([invitation, news])).toEqual([invitation, news]);
    noteInside();
    sessionStorage.clear();
    expect(forVisitors([invitation, news])).toEqual([news]);
  });
});
