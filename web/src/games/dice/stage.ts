import type { DiceChoice } from "@/lib/fair/dice";

import type { Theme } from "../protocol";

/** What shows the number. One is drawn with WebGL, one is plain DOM for devices without it. */
export type Stage = {
  /** The player changed the bet: the winning side is lit. */
  choose: (choice: DiceChoice) => void;
  /** The bet is on its way. */
  spin: () => void;
  /** The roll is known: ends when the number stands still. */
  land: (roll: number, won: boolean) => Promise<void>;
  /** The bet was refused: back to the last roll. */
  rest: () => void;
  paint: (theme: Theme) => void;
  destroy: () => void;
};
