// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { dropPending, heldPassword, keepPending, readPending } from "./pending";

const pending = { ticket: "t1", kind: "login", next: "/play/dice" } as const;

describe("a log-in between its two steps", () => {
  afterEach(dropPending);

  it("holds its password in memory, never in storage", () => {
    keepPending(pending, "pancit-sa-gabi-42");
    expect(readPending()).toEqual(pending);
    expect(heldPassword(pending)).toBe("pancit-sa-gabi-42");
    expect(sessionStorage.getItem("twoFactor")).not.toContain("pancit");
  });

  it("holds no other log-in's password, and none once it is over", () => {
    keepPending(pending, "pancit-sa-gabi-42");
    expect(heldPassword({ ...pending, ticket: "t2" })).toBeUndefined();
    dropPending();
    expect(heldPassword(pending)).toBeUndefined();
    expect(readPending()).toBeNull();
  });
});
