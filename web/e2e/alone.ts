import { mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { siteUrl } from "./site";

const lookEvery = 100;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One test at a time, in whatever process, may use what goes by this name. Whoever has held it for longer than `patience`
 * has died.
 */
export async function alone<T>(name: string, run: () => Promise<T>, patience = 90_000): Promise<T> {
  const lock = join(tmpdir(), `capiz-${new URL(siteUrl).port}-${name}.lock`);
  for (let waited = 0; ; waited += lookEvery) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (waited === patience) rmdirSync(lock);
      await pause(lookEvery);
    }
  }
  return run().finally(() => rmdirSync(lock));
}

/** The game that a test puts under maintenance, and that must not be played meanwhile. */
export const disturbedGame = "scratch";

/** Plays a game, undisturbed. */
export function undisturbed(game: string, run: () => Promise<void>): Promise<void> {
  return game === disturbedGame ? alone(`game-${game}`, run, 300_000) : run();
}
