import type { Key } from "@/lib/i18n/i18n";
import type { Search } from "../address";

export const tabs = [
  { id: "site", title: "settings.tab_site" },
  { id: "switches", title: "settings.tab_switches" },
  { id: "registration", title: "settings.tab_registration" },
  { id: "policies", title: "settings.tab_policies" },
  { id: "brand", title: "settings.tab_brand" },
  { id: "merchants", title: "settings.tab_merchants" },
  { id: "history", title: "settings.tab_history" },
] as const satisfies readonly { id: string; title: Key }[];

export type TabId = (typeof tabs)[number]["id"];

/** The tab that the address asks for; the first where it asks for none that there is. */
export function tabOf({ tab }: Search): TabId {
  return tabs.find(({ id }) => id === tab)?.id ?? "site";
}

/** The merchant that the address asks for by its code; the first where there is no such. */
export function chosenOf<M extends { code: string }>(
  merchants: readonly M[],
  { merchant }: Search,
): M | undefined {
  return merchants.find(({ code }) => code === merchant) ?? merchants[0];
}

/** Another tab of the same merchant: what was looked for on this one is left behind. */
export function searchOf(tab: TabId, { merchant }: Search): Search {
  return { ...(merchant && { merchant }), ...(tab !== "site" && { tab }) };
}
