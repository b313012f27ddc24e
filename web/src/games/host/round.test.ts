import { describe, expect, it, vi } from "vitest";

import { ApiError } from "@/lib/api/error";

import type { PlayedRound } from "./api";
import { isAstray, roundCalls } from "./round";

const choice = { target: 5000, direction: "under" } as const;
const round = { id: "r1" } as PlayedRound;
const act = vi.fn();
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
    const { start } = roundCalls({ play, act }, { newKey: keys(), pause });
    expect(await start("a", "10", choice)).toBe(round);
    expect(play.mock.calls).toEqual([
      ["10", choice, "key-1"],
      ["10", choice, "key-1"],
      ["10", choice, "key-1"],
    ]);
  });

  it("makes one bet of a request however often it comes, and a new key for a new one", async () => {
    const play = vi.fn().mockResolvedValue(round);
    const { start } = roundCalls({ play, act }, { newKey: keys(), pause });
    await Promise.all([start("a", "10", choice), start("a", "10", choice)]);
    await start("b", "10", choice);
    expect(play.mock.calls.map(([, , key]) => key)).toEqual(["key-1", "key-2"]);
  });

  it("takes a refusal at once", async () => {
    const refusal = new ApiError(409, "wallet.insufficient_funds", "too little");
    const play = vi.fn().mockRejectedValue(refusal);
    await expect(roundCalls({ play, act }, { pause }).start("a", "10", choice)).rejects.toBe(
      refusal,
    );
    expect(play).toHaveBeenCalledTimes(1);
  });

  it("gives up after four tries", async () => {
    const play = vi.fn().mockRejectedValue(lost());
    await expect(roundCalls({ play, act }, { pause }).start("a", "10", choice)).rejects.toThrow(
      "no answer",
    );
    expect(play).toHaveBeenCalledTimes(4);
  });

  it("repeats a step as the same step, and does it once for a request", async () => {
    const steps = vi.fn().mockRejectedValueOnce(lost()).mockResolvedValue(round);
    const calls = roundCalls({ play: vi.fn(), act: steps }, { pause });
    await Promise.all([calls.act("a", "r1", 2, "cashOut"), calls.act("a", "r1", 2, "cashOut")]);
    expect(steps.mock.calls).toEqual([
      ["r1", 2, "cashOut"],
      ["r1", 2, "cashOut"],
    ]);
  });

  it("knows when the round stands elsewhere", () => {
    const of = (code: string) => isAstray(new ApiError(409, code as never, ""));
    expect([of("games.round_open"), of("games.round_moved_on"), isAstray(lost())]).toEqual([
      true,
      true,
      true,
    ]);
    expect(of("wallet.insufficient_funds")).toBe(false);
  });
});
