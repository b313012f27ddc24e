import { describe, expect, it } from "vitest";
import { shownName } from "./shown-name";

describe("shownName", () => {
  it.each([
    ["+639171234567", "+639******567"],
    ["maria", "maria"],
    ["0917maria", "0917maria"],
    ["+1234567", "+1234567"],
  ])("shows %s as %s", (account, shown) => {
    expect(shownName(account)).toBe(shown);
  });
});
