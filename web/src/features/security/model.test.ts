import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/api/error";
import { asksPassword, stepUpFault } from "./model";

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

describe("stepUpFault", () => {
  it("has words of its own for tries that are used up", () => {
    expect(stepUpFault(new ApiError(429, "request.too_many", ""))).toBe("security.too_many_tries");
    expect(stepUpFault(new ApiError(409, "member.no_password", ""))).toBe("error.no_password");
    expect(stepUpFault(new TypeError("no"))).toBe("error.unexpected");
  });
});
