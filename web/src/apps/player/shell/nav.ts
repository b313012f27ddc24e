import { type CenterPath, centerPaths, iconOf, labelOf, pathOf } from "@/features/games/categories";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import type { Key } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import type { IconName } from "@/ui/icon";

export type NavPath = "/" | "/promotions" | "/fairness" | "/verify" | CenterPath;

/** An entry of the navigation: it leads to a page, or it opens a popup. */
export type NavItem = { label: Key; icon: IconName } & (
  | { to: NavPath }
  | { to?: undefined; open: () => void }
);

const invite: NavItem = { label: "nav.invite", icon: "user", open: () => openPopup("invite", {}) };

/**
 * Home, the categories that have games, promotions, invite friends where that is on, and how to check us. Only what
 * exists is listed.
 */
export function navItems(): readonly NavItem[] {
  const listed = new Set(getBoot().menus.map(({ gameCategory }) => pathOf(gameCategory)));
  const centers = centerPaths.filter((path) => listed.has(path));
  return [
    { label: "nav.home", icon: "home", to: "/" },
    ...centers.map((to): NavItem => ({ label: labelOf(to), icon: iconOf(to), to })),
    { label: "nav.promotions", icon: "gift", to: "/promotions" },
    ...(isSwitchedOn("REFERRAL3") ? [invite] : []),
    { label: "nav.fairness", icon: "fair", to: "/fairness" },
    { label: "nav.verify", icon: "verify", to: "/verify" },
  ];
}

/** What of it a phone's bottom bar has room for. */
export function barItems(): readonly { label: Key; icon: IconName; to: NavPath }[] {
  return navItems()
    .flatMap((item) => (item.to === undefined ? [] : [item]))
    .slice(0, 3);
}

/** The categories whose entry lists vendors: bingo is one list, and the others are no categories. */
export function isCategory(path: NavPath | undefined): path is Exclude<CenterPath, "/bingo"> {
  return path !== "/bingo" && centerPaths.some((center) => center === path);
}
