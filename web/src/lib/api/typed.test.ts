import { describe, expect, it } from "vitest";
import { addressOf } from "./typed";

describe("the address of a call", () => {
  it("has its parameters in the path and behind it", () => {
    const params = { path: { id: "a/b" }, query: { limit: 5, text: "mga laro", none: undefined } };
    expect(addressOf("/lgw/{id}/x", params)).toBe("/lgw/a%2Fb/x?limit=5&text=mga+laro");
  });
  it("is the path alone where there are none", () => {
    expect(addressOf("/wps/system/status")).toBe("/wps/system/status");
  });
});
