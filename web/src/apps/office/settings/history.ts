import type { Key, Translate } from "@/lib/i18n/i18n";
import type { Search } from "../address";
import type { Change, FindChanges, Kind } from "./api";
import { fieldText } from "./fields";
import { switchTitle } from "./switches";

/** Rows of a page. */
export const pageSize = 50;

/** What can be set, in words. */
export const kindNames: Readonly<Record<Kind, Key>> = {
  maintenance: "settings.maintenance",
  switch: "settings.kind_switch",
  register_rule: "settings.kind_rule",
  policy: "settings.kind_policy",
  brand: "settings.tab_brand",
  host: "settings.kind_host",
  merchant: "settings.merchant",
};

const isKind = (text: string): text is Kind => text in kindNames;

/** A setting in words: its kind, and which of it. */
export function settingText({ kind, name }: Pick<Change, "kind" | "name">, t: Translate): string {
  const words = isKind(kind) ? t(kindNames[kind]) : kind;
  if (name === "") return words;
  if (kind === "switch") return `${words}: ${switchTitle(name, t)}`;
  if (kind === "register_rule") return `${words}: ${fieldText(name, t)}`;
  return `${words}: ${name === "*" ? t("settings.everywhere") : name}`;
}

/** What is looked for as a question to the server. What makes no sense is left out. */
export function queryOf({ kind = "", name, actor, before }: Search): FindChanges {
  const number = Number(before);
  return {
    limit: pageSize,
    ...(isKind(kind) && { kind }),
    ...(name && { name }),
    ...(actor?.trim() && { actor: actor.trim() }),
    ...(Number.isSafeInteger(number) && number > 0 && { before: number }),
  };
}
