import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/api/error";
import { stepUpFault } from "./step-up";

describe("stepUpFault", () => {
  it("has words of its own for tries that are used up", () => {
    expect(stepUpFault(new ApiError(429, "request.too_many", ""))).toBe("error.too_many_tries");
    expect(stepUpFault(new ApiError(409, "member.no_password", ""))).toBe("error.no_password");
    expect(stepUpFault(new TypeError("no"))).toBe("error.unexpected");
  });
});
