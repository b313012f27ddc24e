// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, readToken, storeToken } from "@/lib/api/token";
import { confirmTwoFactor } from "./api";

const { sealedCall, withdraw } = vi.hoisted(() => ({ sealedCall: vi.fn(), withdraw: vi.fn() }));
vi.mock("@/lib/api/sealed", () => ({ sealedCall }));
vi.mock("@/features/auth/api", () => ({ withdraw }));

const on = { recoveryCodes: ["abcd-efgh"], token: "new" };

describe("switching the second step on", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    storeToken("old");
  });

  it("goes on with another token", async () => {
    sealedCall.mockResolvedValueOnce(on);
    await expect(confirmTwoFactor("123456")).resolves.toEqual(on.recoveryCodes);
    expect(readToken()).toBe("new");
    expect(withdraw).not.toHaveBeenCalled();
  });

  it.each([
    ["has logged out", clearSession, null],
    ["has logged in anew", () => storeToken("another"), "another"],
  ])("takes nobody back in who %s meanwhile", async (_, goAway, left) => {
    sealedCall.mockImplementationOnce(async () => {
      goAway();
      return on;
    });
    await confirmTwoFactor("123456");
    expect(readToken()).toBe(left);
    expect(withdraw.mock.calls).toEqual([[{ token: "new" }]]);
  });
});
