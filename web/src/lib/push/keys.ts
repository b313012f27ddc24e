import type { QueryKey } from "@tanstack/react-query";

/** The query keys that push feeds; the features' queries use the same ones. */
export const pushed = {
  balance: ["wallet", "balance"],
  winners: ["games", "winners"],
  boot: ["site", "boot"],
  feedback: ["wallet", "feedback"],
  application: ["wallet", "application"],
} as const satisfies Record<string, QueryKey>;

/** The winners board shows this many. */
export const winnersShown = 20;
