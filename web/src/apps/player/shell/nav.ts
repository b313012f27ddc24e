import type { Key } from "@/lib/i18n/i18n";
import type { IconName } from "@/ui/icon";

type NavItem = {
  label: Key;
  icon: IconName;
  link:
    | { to: "/" | "/fairness" | "/verify" }
    | { to: "/play/$gameCode"; params: { gameCode: string } };
};

/** What the side menu, the drawer and the bottom bar lead to. Only what exists is listed. */
export const navItems: readonly NavItem[] = [
  { label: "nav.home", icon: "home", link: { to: "/" } },
  {
    label: "nav.dice",
    icon: "dice",
    link: { to: "/play/$gameCode", params: { gameCode: "dice" } },
  },
  { label: "nav.fairness", icon: "fair", link: { to: "/fairness" } },
  { label: "nav.verify", icon: "verify", link: { to: "/verify" } },
];
