import type { Key } from "@/lib/i18n/i18n";

import { diceMessages } from "../dice/messages";
import { type Play, playDice } from "./api";

/** What the page must know of a game that runs in a frame: its texts and its call. */
export type HostedGame = { messages: readonly Key[]; play: Play };

export const hostedGames: Readonly<Record<string, HostedGame>> = {
  dice: { messages: diceMessages, play: playDice },
};
