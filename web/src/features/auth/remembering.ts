import { isSwitchedOn } from "@/lib/boot/boot";
import { loadPart } from "@/lib/lazy";
import type { Remembered } from "./remember";

/** How forms remember: what seals and opens is loaded beside them, not with them. */
const vault = () => loadPart(() => import("./remember"));

/** Whether the merchant lets browsers remember anything. */
export function mayRemember(): boolean {
  return isSwitchedOn("REMEMBERPASS3");
}

export const recall = async () => (await vault()).recall();
export const forget = async () => (await vault()).forget();
export const wishToRemember = async (what: Remembered | null) =>
  (await vault()).wishToRemember(what);
export const fulfilWish = async () => (await vault()).fulfilWish();
