import { describe, expect, it } from "vitest";
import { closedKey, executionsOf } from "./announce-rules";

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
});
