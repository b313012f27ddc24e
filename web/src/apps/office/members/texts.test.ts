import { describe, expect, it } from "vitest";
import { wayText } from "./texts";

const t = (key: string, ...args: readonly unknown[]) => [key, ...args].join(" ");

describe("how somebody came in", () => {
  it.each([
    ["username", null, "members.by_username"],
    ["username", "app", "members.with_app members.by_username"],
    ["recovery", "recovery", "members.with_recovery members.by_recovery"],
    ["pigeon", "ring", "pigeon + ring"],
  ])("says %s with %s", (method, factor, words) => {
    expect(wayText({ method, factor }, t)).toBe(words);
  });
});
