import { describe, expect, it } from "vitest";
import { asksPassword } from "./model";

describe("asksPassword", () => {
  it.each([
    ["add", true, true],
    // Who came through another account has none to show.
    ["add", false, false],
    ["change", true, true],
    ["change", false, true],
    ["verify", true, false],
    ["verify", false, false],
  ] as const)("to %s a contact, with a password: %s, is %s", (purpose, hasPassword, asked) => {
    expect(asksPassword(purpose, hasPassword)).toBe(asked);
  });
});
