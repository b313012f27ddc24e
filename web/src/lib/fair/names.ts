import type { Key } from "@/lib/i18n/i18n";
import { type Said, said } from "./told/said";

/** The studio's games by their codes, in the order in which they are listed. */
const names = {
  dice: "told.dice",
  limbo: "told.limbo",
  mines: "told.mines_game",
  plinko: "told.plinko",
  hilo: "told.hilo",
  wheel: "told.wheel",
  keno: "told.keno",
  scratch: "told.scratch",
  reef: "told.reef",
  windows: "told.windows",
  sari: "told.sari",
  fiesta: "told.fiesta",
} as const satisfies Record<string, Key>;

export type GameCode = keyof typeof names;

export const gameCodes = Object.keys(names) as GameCode[];

const isGameCode = (code: string): code is GameCode => Object.hasOwn(names, code);

/** A game's name; of a game that this page does not know its code. */
export function tellGame(code: string): Said {
  return isGameCode(code) ? said(names[code]) : said("told.plain", code);
}
