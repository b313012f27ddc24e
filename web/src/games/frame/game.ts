import type { InitMessage } from "../protocol";
import type { Link } from "./link";

/** What a game's chunk exports: it fills the element and returns how to end it. */
export type GameModule = {
  mount: (root: HTMLElement, init: InitMessage, link: Link) => Promise<{ destroy: () => void }>;
};

/** The games that have a renderer; each is a chunk of its own. */
export const renderers: Readonly<Record<string, () => Promise<GameModule>>> = {
  dice: () => import("../dice/dice"),
};
