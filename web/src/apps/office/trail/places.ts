import type { OfficePath, Search } from "../address";
import type { Right } from "../rights";

/** Where something stands in the office, and who may look there. */
export type Place = { to: OfficePath; search?: Search; right: Right | readonly Right[] };

const settingTabs: Readonly<Record<string, string>> = {
  switch: "switches",
  register_rule: "registration",
  policy: "policies",
  brand: "brand",
  host: "merchants",
  merchant: "merchants",
};

/** The page of what a row of the trail is about, where there is one. */
export function placeOf(subject: string): Place | null {
  const at = subject.indexOf(":");
  const [kind, name] = [subject.slice(0, at), subject.slice(at + 1)];
  const [first = "", second = ""] = name.split("/");
  switch (kind) {
    case "person":
      return { to: "/staff", search: { person: name }, right: "staff.read" };
    case "member":
      return { to: `/members/${name}`, right: "members.read" };
    case "role":
      return { to: "/roles", right: "staff.read" };
    case "setting":
      return {
        to: "/settings",
        search: { merchant: first, tab: settingTabs[second] },
        right: "settings.read",
      };
    case "content":
      return { to: "/content", search: { merchant: first, kind: second }, right: "content.read" };
    case "vendor":
      return { to: "/games", search: { tab: "vendors" }, right: "games.read" };
    case "game":
      return { to: "/games", search: { q: second || first }, right: "games.read" };
    case "approval":
      return {
        to: "/approvals",
        search: { approval: name },
        right: ["approvals.read", "wallet.correct", "wallet.approve"],
      };
    case "message":
      return { to: "/service", search: { tab: "messages", message: name }, right: "outbox.read" };
    case "job":
      return { to: "/service", search: { tab: "jobs" }, right: "service.read" };
    case "service":
      return { to: "/service", right: "service.read" };
    case "feedback":
      return { to: "/feedback", search: { item: name, status: "all" }, right: "feedback.read" };
    case "application":
      return { to: "/affiliates", search: { item: name, status: "all" }, right: "affiliates.read" };
    default:
      return null;
  }
}
