import type { Round } from "@/lib/api/types";

/** Left out of what is given away: the balance is nobody else's business. */
const withoutBalance = (name: string, value: unknown) => (name === "balance" ? undefined : value);

/** A round as text for any other program. */
export function roundText(round: Round): string {
  return JSON.stringify(round, withoutBalance, 2);
}

/** A file with rounds. */
export function roundsFile(rounds: readonly Round[]): Blob {
  const lines = rounds.map((round) => JSON.stringify(round, withoutBalance));
  return new Blob([`{"rounds":[\n${lines.join(",\n")}\n]}\n`], { type: "application/json" });
}
