import { ratioText } from "@/lib/money/money";

/** Dice pays 9,900 over the number of winning rolls out of 10,000: 99 % come back whatever the chance. */
const paidShare = 9900n;

/** The multiplier of a chance given in whole percent, as the game will show it. */
export function diceMultiplier(chancePercent: number): string {
  return ratioText(paidShare, BigInt(chancePercent) * 100n, 2);
}

/** What a stake in whole units becomes when it wins, in hundredths and rounded down as the game does. */
export function dicePayout(stake: number, chancePercent: number): string {
  return ratioText(BigInt(stake) * paidShare, BigInt(chancePercent) * 100n, 2);
}
