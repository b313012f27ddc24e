import { describe, expect, it } from "vitest";

import { moneyUnits } from "@/lib/money/money";

import { type AutoPlan, AutoRun } from "./auto";
import { readPlan } from "./auto-sheet";

const plan: AutoPlan = { rounds: 100, loss: null, win: null, anyWin: false };
const lost = { stake: "10", payout: "0" };
const won = { stake: "10", payout: "25" };
const back = { stake: "10", payout: "4" };

describe("auto-play", () => {
  it("ends after its rounds", () => {
    const run = new AutoRun({ ...plan, rounds: 2 });
    expect([run.after(lost), run.left, run.after(won), run.left]).toEqual([null, 1, "rounds", 0]);
  });

  it("never stakes what could lose more than allowed", () => {
    const run = new AutoRun({ ...plan, loss: moneyUnits("25") });
    expect([run.after(lost), run.after(lost)]).toEqual([null, "loss"]);
    expect(run.mayStake(moneyUnits("5"))).toBe(true);
    expect(run.mayStake(moneyUnits("5.01"))).toBe(false);
    expect(new AutoRun({ ...plan, loss: moneyUnits("5") }).mayStake(moneyUnits("10"))).toBe(false);
  });

  it("counts what came back against the loss", () => {
    const run = new AutoRun({ ...plan, loss: moneyUnits("25") });
    expect([run.after(lost), run.after(won), run.after(lost), run.after(lost)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("stops at a single win of a size, or at any win; what is less than the stake is none", () => {
    const size = new AutoRun({ ...plan, win: moneyUnits("25.01") });
    expect([size.after(won), size.after({ stake: "10", payout: "25.01" })]).toEqual([null, "win"]);
    const any = new AutoRun({ ...plan, anyWin: true });
    expect([any.after(back), any.after({ stake: "10", payout: "10" }), any.after(won)]).toEqual([
      null,
      null,
      "win",
    ]);
  });

  it("reads a plan as typed, and nothing that is half typed", () => {
    const typed = { rounds: "10", loss: "", win: "50,5", anyWin: true };
    expect(readPlan(typed)).toEqual({
      rounds: 10,
      loss: null,
      win: moneyUnits("50.5"),
      anyWin: true,
    });
    for (const wrong of [
      { rounds: "0" },
      { rounds: "1001" },
      { rounds: "ten" },
      { loss: "-1" },
      { win: "1.234" },
      { loss: "0" },
    ]) {
      expect(readPlan({ ...typed, ...wrong }), JSON.stringify(wrong)).toBeNull();
    }
  });
});
