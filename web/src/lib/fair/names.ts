/** The studio's games by their codes. Names are the same in every language. */
export const gameNames = {
  dice: "Dice",
  limbo: "Limbo",
  mines: "Mines",
  plinko: "Plinko",
  hilo: "Hi-Lo",
  wheel: "Wheel",
  keno: "Keno",
  scratch: "Scratch card",
  reef: "Coral Reef",
  windows: "Capiz Windows",
  sari: "Sari-Sari",
  fiesta: "Fiesta",
} as const;

export type GameCode = keyof typeof gameNames;

export const gameCodes = Object.keys(gameNames) as GameCode[];

export function isGameCode(code: string): code is GameCode {
  return Object.hasOwn(gameNames, code);
}

/** A game's name; of a game that this page does not know its code. */
export function gameName(code: string): string {
  return isGameCode(code) ? gameNames[code] : code;
}
