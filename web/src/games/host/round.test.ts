import { describe, expect, it, vi } from "vitest";

import { ApiError } from "@/lib/api/error";
import type { Round } from "@/lib/api/types";

import { roundStarter } from "./round";

const choice = { target: 5000, direction: "under" } as const;
const round = { id: "r1" } as Round;
const lost = () => new ApiError(0, "network", "no answer");
const pause = () => Promise.resolve();

function keys() {
  let next = 0;
  return () => `key-${(next += 1)}`;
}

describe("bets of the frame", () => {
  it("asks again with the same key while no answer comes", async () => {
    const play = vi
      .fn()
      .mockRejectedValueOnce(lost())
      .mockRejectedValueOnce(lost())
      .mockResolvedValue(round);
    const start = roundStarter(play, { newKey: keys(), pause });
    expect(await start("a", "10", choice)).toBe(round);
    expect(play.mock.calls).toEqual([
      ["10", choice, "key-1"],
      ["10", choice, "key-1"],
      ["10", choice, "key-1"],
    ]);
  });

  it("makes one bet of a request however often it comes, and a new key for a new one", async () => {
    const play = vi.fn().mockResolvedValue(round);
    const start = roundStarter(play, { newKey: keys(), pause });
    await Promise.all([start("a", "10", choice), start("a", "10", choice)]);
    await start("b", "10", choice);
    expect(play.mock.calls.map(([, , key]) => key)).toEqual(["key-1", "key-2"]);
  });

  it("takes a refusal at once", async () => {
    const refusal = new ApiError(409, "wallet.insufficient_funds", "too little");
    const play = vi.fn().mockRejectedValue(refusal);
    await expect(roundStarter(play, { pause })("a", "10", choice)).rejects.toBe(refusal);
    expect(play).toHaveBeenCalledTimes(1);
  });

  it("gives up after four tries", async () => {
    const play = vi.fn().mockRejectedValue(lost());
    await expect(roundStarter(play, { pause })("a", "10", choice)).rejects.toThrow("no answer");
    expect(play).toHaveBeenCalledTimes(4);
  });
});
