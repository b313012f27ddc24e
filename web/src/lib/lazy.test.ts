// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LoadFault, latestMs, loadPart } from "./lazy";

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => vi.useRealTimers());

describe("a part of the site", () => {
  it("is asked for again when the line was down for a moment", async () => {
    const load = vi.fn().mockRejectedValueOnce(new TypeError("no line")).mockResolvedValue("part");
    const loaded = loadPart(load);
    await vi.runAllTimersAsync();
    await expect(loaded).resolves.toBe("part");
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("is given up when it has not come after 120 seconds", async () => {
    expect(latestMs).toBe(120_000);
    const loaded = loadPart(() => new Promise(() => undefined));
    const told = expect(loaded).rejects.toEqual(new LoadFault("late"));
    await vi.advanceTimersByTimeAsync(latestMs);
    await told;
  });

  it("is a fault of the network when a fresh page did not help", async () => {
    sessionStorage.setItem("reloaded", "1");
    const loaded = loadPart(() => Promise.reject(new TypeError("no line")));
    const told = expect(loaded).rejects.toEqual(new LoadFault("network"));
    await vi.runAllTimersAsync();
    await told;
  });
});
