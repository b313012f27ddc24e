import type all from "@/locales/en/games/slots/all.json";
import type fiesta from "@/locales/en/games/slots/fiesta.json";
import type reef from "@/locales/en/games/slots/reef.json";
import type sari from "@/locales/en/games/slots/sari.json";
import type windows from "@/locales/en/games/slots/windows.json";

import type { Seat } from "../frame/game";

/** The words of all machines, and those of each. */
export type SlotKey = keyof typeof all;
export type MachineKey =
  | keyof typeof fiesta
  | keyof typeof reef
  | keyof typeof sari
  | keyof typeof windows;

/** There is nothing to choose but the stake. */
export type NoChoice = Record<string, never>;

/** What the table hands to a machine. */
export type SlotSeat = Seat<NoChoice, SlotKey | MachineKey>;
