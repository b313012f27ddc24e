import { type CenterPath, centerPaths, iconOf, labelOf, pathOf } from "@/features/games/categories";
import { getBoot } from "@/lib/boot/boot";
import type { Key } from "@/lib/i18n/i18n";
import type { IconName } from "@/ui/icon";

export type NavItem = {
  label: Key;
  icon: IconName;
  to: "/" | "/fairness" | "/verify" | CenterPath;
};

/** Home, the categories that have games, and how to check us. Only what exists is listed. */
export function navItems(): readonly NavItem[] {
  const listed = new Set(getBoot().menus.map(({ gameCategory }) => pathOf(gameCategory)));
  const centers = centerPaths.filter((path) => listed.has(path));
  return [
    { label: "nav.home", icon: "home", to: "/" },
    ...centers.map((to): NavItem => ({ label: labelOf(to), icon: iconOf(to), to })),
    { label: "nav.fairness", icon: "fair", to: "/fairness" },
    { label: "nav.verify", icon: "verify", to: "/verify" },
  ];
}
