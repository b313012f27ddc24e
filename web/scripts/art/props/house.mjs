import { MACHINE_PROPS } from "./machines.mjs";
import { TABLES } from "./tables.mjs";

/** Props of the house's own games. */
export const HOUSE = { ...TABLES, ...MACHINE_PROPS };
