import { describe, expect, it } from "vitest";

import { endingOf, paidBy } from "./ending";
import { neighbour } from "./grid";
import { Motion, bounce, easeInOut, easeOut, linear, overshoot } from "./motion";

describe("ending", () => {
  it("calls only what is more than the stake a win", () => {
    const of = (payout: string) => endingOf({ stake: "10", payout });
    expect([of("0"), of("0.01"), of("9.99"), of("10"), of("10.01")]).toEqual([
      "lost",
      "back",
      "back",
      "back",
      "won",
    ]);
  });
});

describe("a jackpot", () => {
  it("makes a win of a round that pays nothing by itself", () => {
    const round = { stake: "10", payout: "0", jackpot: "812.5" };
    expect([endingOf(round), paidBy(round)]).toEqual(["won", 8_125_000n]);
    expect(endingOf({ ...round, jackpot: null })).toBe("lost");
  });
});

describe("grid", () => {
  it("moves by arrow keys and stays on the board", () => {
    const from = (at: number, key: string) => neighbour(at, key, 5, 25);
    expect([from(0, "ArrowRight"), from(4, "ArrowRight")]).toEqual([1, null]);
    expect([from(5, "ArrowLeft"), from(6, "ArrowLeft")]).toEqual([null, 5]);
    expect([from(2, "ArrowUp"), from(22, "ArrowDown"), from(2, "ArrowDown")]).toEqual([
      null,
      null,
      7,
    ]);
    expect([from(12, "Home"), from(12, "End"), from(12, "a")]).toEqual([10, 14, null]);
  });
});

describe("motion", () => {
  it.each([linear, easeOut, easeInOut, overshoot, bounce])("%o goes from 0 to 1", (ease) => {
    expect(ease(0)).toBeCloseTo(0);
    expect(ease(1)).toBeCloseTo(1);
  });

  it("steps to the end, tells when it is there, and goes faster in a hurry", async () => {
    const motion = new Motion();
    const seen: number[] = [];
    const end = motion.tween(1, (part) => seen.push(part), linear);
    motion.update(0.25);
    motion.speed = 2;
    motion.update(0.25);
    expect(motion.moving).toBe(true);
    motion.update(0.5);
    expect(motion.moving).toBe(false);
    await end;
    expect(seen).toEqual([0, 0.25, 0.75, 1]);
  });

  it("shows the end at once where no motion is wanted", async () => {
    const motion = new Motion();
    const seen: number[] = [];
    motion.instant = true;
    await motion.tween(5, (part) => seen.push(part));
    expect([seen, motion.moving]).toEqual([[1], false]);
  });

  it("can be brought to its end", async () => {
    const motion = new Motion();
    let at = 0;
    const end = motion.tween(9, (part) => (at = part));
    motion.finish();
    await end;
    expect(at).toBe(1);
  });
});
