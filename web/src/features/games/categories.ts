import type { Key } from "@/lib/i18n/i18n";
import type { IconName } from "@/ui/icon";

/** The pages that list games, in the order of the navigation. */
export const centerPaths = [
  "/hot",
  "/rng",
  "/bingo",
  "/live",
  "/sports",
  "/esports",
  "/cockfight",
  "/pvp",
  "/fish",
  "/lott",
  "/elott",
] as const;
export type CenterPath = (typeof centerPaths)[number];

/** What each of them is called, and its icon. */
const looks: Readonly<Record<CenterPath, readonly [Key, IconName]>> = {
  "/hot": ["nav.hot", "flame"],
  "/rng": ["nav.rng", "dice"],
  "/bingo": ["nav.bingo", "hash"],
  "/live": ["nav.live", "eye"],
  "/sports": ["nav.sports", "trophy"],
  "/esports": ["nav.esports", "trophy"],
  "/cockfight": ["nav.cockfight", "trophy"],
  "/pvp": ["nav.pvp", "user"],
  "/fish": ["nav.fish", "search"],
  "/lott": ["nav.lott", "gift"],
  "/elott": ["nav.elott", "gift"],
};

export const labelOf = (path: CenterPath): Key => looks[path][0];
export const iconOf = (path: CenterPath): IconName => looks[path][1];

/** The page of a category; a category that only a newer server knows has none. */
export function pathOf(category: string): CenterPath | undefined {
  return centerPaths.find((path) => path === `/${category.toLowerCase()}`);
}

export const categoryOf = (path: string): string => path.slice(1).toUpperCase();
