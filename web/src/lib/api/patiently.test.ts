import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "./error";
import { patiently } from "./patiently";

const crowded = (retryAfter?: number) =>
  new ApiError(503, "server.unavailable", "The line is long", { retryAfter });

describe("patiently", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("comes back when the server says, with the same call", async () => {
    const call = vi.fn<() => Promise<string>>();
    call
      .mockRejectedValueOnce(crowded(3))
      .mockRejectedValueOnce(crowded(2))
      .mockResolvedValue("in");
    const done = patiently(call);
    await vi.advanceTimersByTimeAsync(2900);
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(call).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2000);
    await expect(done).resolves.toBe("in");
    expect(call).toHaveBeenCalledTimes(3);
  });

  it("comes within the second, not with everybody else at its end", async () => {
    vi.mocked(Math.random).mockReturnValue(0.25);
    const call = vi.fn<() => Promise<string>>();
    call.mockRejectedValueOnce(crowded(3)).mockResolvedValue("in");
    const done = patiently(call);
    await vi.advanceTimersByTimeAsync(2700);
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    await expect(done).resolves.toBe("in");
  });

  it("tells in the end that there is no getting through", async () => {
    const refusal = crowded(30);
    const call = vi.fn(() => Promise.reject(refusal));
    const done = patiently(call).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100_000);
    await expect(done).resolves.toBe(refusal);
    expect(call).toHaveBeenCalledTimes(4);
  });

  it.each([crowded(), new ApiError(429, "session.locked", "", { retryAfter: 1 })])(
    "tells everything else at once",
    async (error) => {
      await expect(patiently(vi.fn<() => Promise<string>>().mockRejectedValue(error))).rejects.toBe(
        error,
      );
    },
  );
});
