const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["♣", "♦", "♥", "♠"];

/** A card as it is written: rank 1 to 13, suit 0 to 3 in the order of the deck. */
export function cardText(rank: number, suit: number): string {
  return `${RANKS[rank - 1] ?? rank}${SUITS[suit] ?? ""}`;
}
