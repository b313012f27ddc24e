import returnsJson from "./returns.json";

/** What a game returns of a stake, in percent, for its choices. Written by the rules of the server. */
export type GameReturns = {
  game: string;
  /** Whether every outcome was counted; else it was found by playing. */
  isCounted: boolean;
  /** What comes back besides through the jackpot, in percent. */
  jackpot: string | null;
  choices: readonly { choice: unknown; percent: string }[];
};

export const returnsOfGames: readonly GameReturns[] = returnsJson;

/** The least and the greatest return of a game. */
export function returnRange({ choices }: GameReturns): [string, string] {
  const sorted = choices.map(({ percent }) => percent).toSorted((a, b) => Number(a) - Number(b));
  return [sorted[0] ?? "0", sorted.at(-1) ?? "0"];
}
