import type { Key } from "@/lib/i18n/i18n";
import type { IconName } from "@/ui/icon";
import type { OfficePath } from "./address";
import type { Me } from "./api";
import type { Right } from "./rights";
import { may } from "./session";

export type OfficePage = {
  path: OfficePath;
  title: Key;
  icon: IconName;
  right: Right | readonly Right[] | null;
};

/** Whoever may ask or decide sees requests; so does whoever may see all. */
export const approvalRights = ["approvals.read", "wallet.correct", "wallet.approve"] as const;
export const serviceRights = ["service.read", "outbox.read"] as const;

/** The pages, in the order of the menu, and the right that each asks for, or some of which one is enough. */
export const pages: readonly OfficePage[] = [
  { path: "/", title: "office.desk", icon: "home", right: null },
  { path: "/members", title: "office.members", icon: "search", right: "members.read" },
  { path: "/approvals", title: "office.approvals", icon: "fair", right: approvalRights },
  { path: "/feedback", title: "office.feedback", icon: "info", right: "feedback.read" },
  { path: "/affiliates", title: "office.affiliates", icon: "gift", right: "affiliates.read" },
  { path: "/games", title: "office.games", icon: "dice", right: "games.read" },
  { path: "/content", title: "office.content", icon: "copy", right: "content.read" },
  { path: "/settings", title: "office.settings", icon: "settings", right: "settings.read" },
  { path: "/service", title: "office.service", icon: "device", right: serviceRights },
  { path: "/staff", title: "office.people", icon: "user", right: "staff.read" },
  { path: "/roles", title: "office.roles", icon: "shield", right: "staff.read" },
  { path: "/trail", title: "office.trail", icon: "list", right: "trail.read" },
];

/** Pages that stand in no menu: they show one of many, and are reached from others. */
const files: readonly OfficePage[] = [
  { path: "/members/", title: "office.member", icon: "search", right: "members.read" },
  { path: "/rounds/", title: "office.round", icon: "dice", right: "rounds.read" },
];

/** The page at an address. */
export function pageAt(path: string): OfficePage | undefined {
  return (
    pages.find((page) => page.path === path) ?? files.find((file) => path.startsWith(file.path))
  );
}

/** What somebody may open. */
export function pagesOf(me: Me): readonly OfficePage[] {
  return pages.filter(({ right }) => may(me, right));
}
