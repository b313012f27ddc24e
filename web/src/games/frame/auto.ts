import { type Units, moneyUnits } from "@/lib/money/money";

import { type Paid, paidBy } from "./ending";

import type { TableKey } from "./game";

/** How long to play by itself. */
export type AutoPlan = {
  rounds: number;
  /** Stops once so much more was staked than came back. */
  loss: Units | null;
  /** Stops after a single round that pays at least so much. */
  win: Units | null;
  /** Stops after any round that pays more than its stake. */
  anyWin: boolean;
};

/** Why it ended. */
export type AutoStop = "rounds" | "loss" | "win" | "refused" | "asked";

/** What is said when it has ended. */
export const STOP_WORDS = {
  rounds: "table.auto_done",
  loss: "table.auto_at_loss",
  win: "table.auto_at_win",
  refused: "table.auto_refused",
  asked: "table.auto_done",
} as const satisfies Record<AutoStop, TableKey>;

export const MOST_ROUNDS = 1000;

/** A run of rounds that the player started with one press; it knows when to stop. */
export class AutoRun {
  left: number;
  /** What was staked beyond what came back. */
  private lost: Units = 0n;

  constructor(private readonly plan: AutoPlan) {
    this.left = plan.rounds;
  }

  /** Whether the next stake may be made at all: it must not be able to lose more than allowed. */
  mayStake(stake: Units): boolean {
    return this.plan.loss === null || this.lost + stake <= this.plan.loss;
  }

  /** Counts a round; why to stop after it, or null to go on. */
  after(round: Paid): AutoStop | null {
    const [staked, paid] = [moneyUnits(round.stake), paidBy(round)];
    const { loss, win, anyWin } = this.plan;
    this.left -= 1;
    this.lost += staked - paid;
    if (win !== null && paid >= win) return "win";
    if (anyWin && paid > staked) return "win";
    if (loss !== null && this.lost + staked > loss) return "loss";
    return this.left <= 0 ? "rounds" : null;
  }
}
