import type { Key } from "@/lib/i18n/i18n";
import { rollText } from "../dice";
import { type Said, fieldsOf, numberIn, numbersIn, said, textIn, times100 } from "./said";

const risks: Readonly<Record<string, Key>> = {
  low: "told.risk_low",
  medium: "told.risk_medium",
  high: "told.risk_high",
};

const risk = (choice: unknown): Said => {
  const name = textIn(fieldsOf(choice), "risk");
  const key = risks[name];
  return key ? said(key) : said("told.plain", name);
};

const tellers: Readonly<Record<string, (choice: unknown) => Said>> = {
  dice: (choice) => {
    const target = rollText(numberIn(fieldsOf(choice), "target"));
    const isUnder = fieldsOf(choice)["direction"] === "under";
    return said(isUnder ? "told.under" : "told.over", target);
  },
  limbo: (choice) => said("told.target", times100(numberIn(fieldsOf(choice), "target"))),
  mines: (choice) => said("told.mines", numberIn(fieldsOf(choice), "mines")),
  plinko: (choice) => said("told.rows", numberIn(fieldsOf(choice), "rows"), risk(choice)),
  wheel: (choice) => said("told.segments", numberIn(fieldsOf(choice), "segments"), risk(choice)),
  keno: (choice) => said("told.picks", numbersIn(fieldsOf(choice), "picks").join(", ")),
};

/** What the player chose before the round; null in games without a choice. */
export function tellChoice(game: string, choice: unknown): Said | null {
  return tellers[game]?.(choice) ?? null;
}

/** What kind of choice it is, where one stands for all of its kind. */
export function tellKind(game: string, choice: unknown): Said | null {
  if (game !== "keno") return tellChoice(game, choice);
  return said("told.picks_count", numbersIn(fieldsOf(choice), "picks").length);
}

/** What the player did in a round, in order: the numbers of tiles, or guesses. */
export function tellActions(actions: readonly unknown[]): Said[] {
  return actions.map((action) => {
    if (action === "cashOut") return said("told.did_stop");
    if (action === "higher") return said("told.did_higher");
    if (action === "lower") return said("told.did_lower");
    if (action === "skip") return said("told.did_skip");
    if (action === "giveBack") return said("told.did_nothing");
    return said("told.did_pick", numberIn(fieldsOf(action), "pick") + 1);
  });
}
