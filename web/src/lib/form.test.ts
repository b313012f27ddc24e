import { describe, expect, it, vi } from "vitest";
import { ApiError } from "./api/error";
import { takeRefusal } from "./form";

describe("takeRefusal", () => {
  const fields = { "member.wrong_password": "password" } as const;
  it("says a refusal at its field, in its own words", () => {
    const setError = vi.fn();
    const refusal = new ApiError(400, "member.wrong_password", "");
    expect(takeRefusal<{ password: string }>(refusal, fields, setError)).toBe(true);
    const message = "error.wrong_password";
    expect(setError).toHaveBeenCalledWith(
      "password",
      { type: "server", message },
      { shouldFocus: true },
    );
  });
  it("leaves what is about no field to the form", () => {
    const setError = vi.fn();
    for (const error of [new ApiError(409, "member.no_password", ""), new TypeError("no")]) {
      expect(takeRefusal<{ password: string }>(error, fields, setError)).toBe(false);
    }
    expect(setError).not.toHaveBeenCalled();
  });
});
