// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, keepMerchant, storeToken } from "./token";

describe("the merchant", () => {
  beforeEach(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  afterEach(() => vi.restoreAllMocks());

  it("is kept for tab and browser, and outlives the session", () => {
    keepMerchant("capiz");
    storeToken("T");
    sessionStorage.setItem("affiliateCode", "ABCD1");
    clearSession();
    expect({ ...sessionStorage }).toEqual({ merchant: "capiz" });
    expect(localStorage.getItem("merchant")).toBe("capiz");
  });

  it("is not missed where a browser keeps nothing", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    expect(() => keepMerchant("capiz")).not.toThrow();
  });
});
