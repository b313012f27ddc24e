import type { Game } from "./game";

type Module = { default: Game };

/** Every file `CODE.game.ts` is a game, and a chunk of its own. */
const files = import.meta.glob<Module>("../*/*.game.ts");

const loaders = new Map(
  Object.entries(files).map(([path, load]) => [/([^/]+)\.game\.ts$/.exec(path)?.[1] ?? path, load]),
);

export async function loadGame(code: string): Promise<Game | null> {
  return (await loaders.get(code)?.())?.default ?? null;
}

export function gameCodes(): string[] {
  return [...loaders.keys()].toSorted();
}
