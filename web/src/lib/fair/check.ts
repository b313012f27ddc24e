import { type PlayedRound, type Replay, replay } from "./games/games";
import type { GameEvent } from "./games/rules";
import { commitmentOf } from "./stream";

/** Everything that decides a round, and what the server said came of it. */
export type Evidence = PlayedRound & {
  serverSeed: string;
  commitment: string | null;
  clientSeed: string;
  nonce: number;
  claim: { events: readonly GameEvent[]; payout: string | null } | null;
};

/** A round worked out again. `null` means that there was nothing to compare with. */
export type Check = {
  evidence: Evidence;
  commitment: string;
  /** What came of it here; null when the rules do not allow such a round, or do not know the game. */
  replay: Replay | null;
  sameCommitment: boolean | null;
  /** The first event that differs from what was claimed. */
  firstOther: number | null;
  sameEvents: boolean | null;
  samePayout: boolean | null;
  verdict: "good" | "bad" | "open";
};

export async function checkEvidence(evidence: Evidence): Promise<Check> {
  const commitment = await commitmentOf(evidence.serverSeed);
  const played = await replayed(evidence);
  const { claim } = evidence;
  const sameCommitment =
    evidence.commitment === null ? null : commitment === evidence.commitment.toLowerCase();
  const firstOther = claim && played ? firstDifference(claim.events, played.events) : null;
  const sameEvents = claim && played !== null && firstOther === null;
  const samePayout = claim && played !== null && played.payout === claim.payout;
  const found = [sameCommitment, sameEvents, samePayout, played !== null];
  return {
    evidence,
    commitment,
    replay: played,
    sameCommitment,
    firstOther,
    sameEvents,
    samePayout,
    verdict: verdictOf(found),
  };
}

/** The rules throw at what they do not allow; of data from anywhere nothing else can be expected. */
async function replayed(evidence: Evidence): Promise<Replay | null> {
  try {
    return await replay(evidence, evidence);
  } catch {
    return null;
  }
}

/** One difference is enough to fail; only what was compared as a whole is called good. */
function verdictOf(found: readonly (boolean | null)[]): Check["verdict"] {
  if (found.includes(false)) return "bad";
  return found.includes(null) ? "open" : "good";
}

function firstDifference(one: readonly GameEvent[], two: readonly GameEvent[]): number | null {
  const longer = one.length > two.length ? one : two;
  const at = longer.findIndex((_, number) => !isSame(one[number], two[number]));
  return at < 0 ? null : at;
}

/** Whether two values say the same, whatever the order of their fields. */
export function isSame(one: unknown, two: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(two));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, sorted(field)]);
}
