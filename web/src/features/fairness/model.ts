import type { Round } from "@/lib/api/types";
import {
  type DiceChoice,
  type DiceReplay,
  FACES,
  isAllowed,
  replayDice,
  winningRolls,
} from "@/lib/fair/dice";
import { fromHex } from "@/lib/fair/bytes";
import { commitmentOf } from "@/lib/fair/stream";
import { PAYABLE, parseMoney } from "@/lib/money/money";

/** Everything that decides a round, and what the server said came of it. */
export type Evidence = {
  serverSeed: string;
  commitment: string | null;
  clientSeed: string;
  nonce: number;
  choice: DiceChoice;
  stake: string;
  claim: { roll: number; payout: string } | null;
};

/** A round worked out again in this browser. `null` means that there was nothing to compare with. */
export type Check = DiceReplay & {
  evidence: Evidence;
  commitment: string;
  count: number;
  sameCommitment: boolean | null;
  sameRoll: boolean | null;
  samePayout: boolean | null;
  verdict: "good" | "bad" | "open";
};

/** Words at or above this are thrown away: 2³² is no multiple of 10,000. */
export const WORD_LIMIT = Math.floor(2 ** 32 / FACES) * FACES;

export async function checkEvidence(evidence: Evidence): Promise<Check> {
  const { serverSeed, choice, stake, claim } = evidence;
  const [commitment, replay] = await Promise.all([
    commitmentOf(serverSeed),
    replayDice(evidence, choice, stake),
  ]);
  const sameCommitment =
    evidence.commitment === null ? null : commitment === evidence.commitment.toLowerCase();
  const sameRoll = claim && claim.roll === replay.roll;
  const samePayout = claim && claim.payout === replay.payout;
  const found = [sameCommitment, sameRoll, samePayout];
  return {
    ...replay,
    evidence,
    commitment,
    count: winningRolls(choice),
    sameCommitment,
    sameRoll,
    samePayout,
    verdict: verdictOf(found),
  };
}

/** One difference is enough to fail; nothing compared leaves the question open. */
function verdictOf(found: readonly (boolean | null)[]): Check["verdict"] {
  if (found.includes(false)) return "bad";
  return found.includes(true) ? "good" : "open";
}

/** The evidence in a round of the server; null while its seed is still secret. */
export function evidenceOf(round: Round): Evidence | null {
  const { serverSeed, commitment, clientSeed } = round.seed;
  const rolled = round.book.find((event) => event.type === "roll");
  if (!serverSeed || !rolled) return null;
  return {
    serverSeed,
    commitment,
    clientSeed,
    nonce: round.nonce,
    choice: round.choice,
    stake: round.stake,
    claim: { roll: rolled.roll, payout: round.payout },
  };
}

/** The form for evidence from elsewhere: all text, as typed. */
export type Typed = {
  serverSeed: string;
  commitment: string;
  clientSeed: string;
  nonce: string;
  target: string;
  direction: DiceChoice["direction"];
  stake: string;
};
export type TypedField = Exclude<keyof Typed, "direction">;

/** Reads the form; fields that cannot be right are named. */
export function readTyped(typed: Typed): { evidence: Evidence } | { wrong: TypedField[] } {
  const target = readTarget(typed.target);
  const stake = parseMoney(typed.stake.trim());
  const serverSeed = typed.serverSeed.trim().toLowerCase();
  const commitment = typed.commitment.trim().toLowerCase();
  const nonce = /^\d{1,15}$/.test(typed.nonce.trim()) ? Number(typed.nonce) : null;
  const wrong: TypedField[] = [];
  if (fromHex(serverSeed)?.length !== 32) wrong.push("serverSeed");
  if (commitment !== "" && fromHex(commitment)?.length !== 32) wrong.push("commitment");
  if (!isClientSeed(typed.clientSeed)) wrong.push("clientSeed");
  if (nonce === null) wrong.push("nonce");
  if (target === null || !isAllowed({ target, direction: typed.direction })) wrong.push("target");
  if (stake === null || stake <= 0n || stake % PAYABLE !== 0n) wrong.push("stake");
  if (wrong.length > 0 || nonce === null || target === null) return { wrong };
  return {
    evidence: {
      serverSeed,
      commitment: commitment === "" ? null : commitment,
      clientSeed: typed.clientSeed,
      nonce,
      choice: { target, direction: typed.direction },
      stake: typed.stake.trim(),
      claim: null,
    },
  };
}

/** The server takes 1 to 64 printable ASCII characters. */
export function isClientSeed(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text);
}

function readTarget(text: string): number | null {
  const match = /^(\d{1,2})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** A client seed to start from; the player may write any other. */
export function newClientSeed(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}
