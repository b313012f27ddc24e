// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { clearSession, storeToken } from "@/lib/api/token";
import { dropPending, firstStepOf, keepPending, readPending } from "./pending";

const pending = { ticket: "t1", kind: "login", next: "/play/dice" } as const;
const other = { ...pending, ticket: "t2" };
const password = "pancit-sa-gabi-42";
const remember = { part: "login", what: { username: "marikit", password } } as const;

describe("a log-in between its two steps", () => {
  afterEach(() => dropPending());

  it("holds its password in memory, never in storage", () => {
    keepPending(pending, { password, remember });
    expect(readPending()).toEqual(pending);
    expect(firstStepOf(pending)).toEqual({ password, remember });
    expect(JSON.stringify({ ...sessionStorage })).not.toContain("pancit");
  });

  it("holds no other log-in's password, and none once it is over", () => {
    keepPending(pending, { password, remember });
    expect(firstStepOf(other)).toEqual({});
    dropPending();
    expect(firstStepOf(pending)).toEqual({});
    expect(readPending()).toBeNull();
  });

  it("holds its password no longer than the server takes the second step", () => {
    vi.useFakeTimers();
    keepPending(pending, { password, remember });
    vi.advanceTimersByTime(4 * 60_000);
    keepPending(other, { password });
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect(firstStepOf(other)).toEqual({ password });
    vi.advanceTimersByTime(1);
    expect(firstStepOf(other)).toEqual({});
    vi.useRealTimers();
  });

  it("holds none once the session has ended that it was begun in", () => {
    storeToken("of a demo account");
    keepPending(pending, { password, remember });
    clearSession();
    expect(firstStepOf(pending)).toEqual({});
  });

  it("leaves what is to be remembered to no other log-in", () => {
    keepPending(pending, { password, remember });
    keepPending({ ticket: "t2", kind: "recovery" });
    expect(firstStepOf(other)).toEqual({});
    expect(firstStepOf(pending)).toEqual({});
  });

  it("ends without the one that has begun since", () => {
    keepPending(pending);
    keepPending(other, { password });
    dropPending(pending.ticket);
    expect(readPending()).toEqual(other);
    expect(firstStepOf(other)).toEqual({ password });
    dropPending(other.ticket);
    expect(readPending()).toBeNull();
  });
});
