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
  { path: "/staff", title: "office.people", icon: "user", right: "staff.read" },
  { path: "/roles", title: "office.roles", icon: "shield", right: "staff.read" },
  { path: "/trail", title: "office.trail", icon: "list", right: "trail.read" },
  { path: "/settings", title: "office.settings", icon: "settings", right: "settings.read" },
  { path: "/approvals", title: "office.approvals", icon: "fair", right: approvalRights },
  { path: "/service", title: "office.service", icon: "device", right: serviceRights },
];

/** What somebody may open. */
export function pagesOf(me: Me): readonly OfficePage[] {
  return pages.filter(({ right }) => may(me, right));
}
