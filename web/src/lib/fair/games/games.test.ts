import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { type PlayedRound, replay } from "./games";

type Case = PlayedRound & {
  serverSeed: string;
  clientSeed: string;
  nonce: number;
  events: unknown[];
  payout: string | null;
  cashOut: string | null;
};

const cases = JSON.parse(
  readFileSync(new URL("../../../../../vectors/games.json", import.meta.url), "utf8"),
) as Case[];
const games = [...new Set(cases.map(({ game }) => game))];

describe("games", () => {
  it.each(games)("replays every round of %s of the shared vectors", async (game) => {
    const rounds = cases.filter((round) => round.game === game);
    expect(rounds.length).toBeGreaterThanOrEqual(20);
    for (const round of rounds) {
      const { events, payout, cashOut } = (await replay(round, round)) ?? {};
      expect({ events, payout, cashOut }, `${game} ${round.nonce}`).toEqual({
        events: round.events,
        payout: round.payout,
        cashOut: round.cashOut,
      });
    }
  });

  it("knows all twelve, and no other", async () => {
    expect(games).toHaveLength(12);
    const [first] = cases;
    expect(first && (await replay(first, { ...first, game: "roulette" }))).toBeNull();
  });
});
