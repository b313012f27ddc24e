import type { Key } from "@/lib/i18n/i18n";
import type { Brand } from "./api";

/** The lists of a brand; each is written in one field, with commas between. */
export const listNames = [
  "imageCDNs",
  "launchGameCDNs",
  "centerGameList",
  "prizeModes",
  "esportProviders",
  "cockfightProviders",
] as const;
type ListName = (typeof listNames)[number];

/** The game types that have a label. */
export const labelCodes = ["SC", "VP", "JP", "TG", "AC", "BG"] as const;
type LabelCode = (typeof labelCodes)[number];

export type BrandValues = Record<ListName, string> &
  Record<`label${LabelCode}`, string> & {
    customerService: string;
    analyticsId: string;
    domainRoute: string;
    lotteryType: string;
    languages: string[];
    defaultLanguage: string;
    reason: string;
  };

export const listLabels: Readonly<Record<ListName, Key>> = {
  imageCDNs: "settings.image_cdns",
  launchGameCDNs: "settings.game_cdns",
  centerGameList: "settings.center_games",
  prizeModes: "settings.prize_modes",
  esportProviders: "settings.esport_providers",
  cockfightProviders: "settings.cockfight_providers",
};

/** What stands between commas, or on lines of its own. */
export function itemsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

export function valuesOf(brand: Brand): BrandValues {
  const lists = listNames.map((name) => [name, brand[name].join(", ")]);
  const labels = labelCodes.map((code) => [`label${code}`, brand.gameTypeLabels[code] ?? ""]);
  return {
    ...(Object.fromEntries([...lists, ...labels]) as Record<
      ListName | `label${LabelCode}`,
      string
    >),
    customerService: brand.customerService ?? "",
    analyticsId: brand.analyticsId ?? "",
    domainRoute: brand.domainRoute,
    lotteryType: brand.lotteryType,
    languages: brand.languages,
    defaultLanguage: brand.defaultLanguage,
    reason: "",
  };
}

/** A label that is empty is none. */
export function brandOf(values: BrandValues, resources: Brand["resources"]): Brand {
  const lists = listNames.map((name) => [name, itemsOf(values[name])]);
  const labels = labelCodes.flatMap((code) => {
    const label = values[`label${code}`].trim();
    return label ? [[code, label]] : [];
  });
  return {
    ...(Object.fromEntries(lists) as Record<ListName, string[]>),
    gameTypeLabels: Object.fromEntries(labels) as Record<string, string>,
    customerService: values.customerService.trim() || null,
    analyticsId: values.analyticsId.trim() || null,
    domainRoute: values.domainRoute.trim(),
    lotteryType: values.lotteryType.trim(),
    languages: values.languages,
    defaultLanguage: values.defaultLanguage,
    resources,
  };
}
