import type { Seat } from "../frame/game";
import type { Choice } from "../protocol";

/** What the table hands to a machine. Its words are those of all machines and its own. */
export type SlotSeat = Seat<Choice>;
