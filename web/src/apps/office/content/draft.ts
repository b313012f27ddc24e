import type { Key } from "@/lib/i18n/i18n";
import type { Lang } from "@/lib/i18n/languages";
import type { ContentRow, ContentValue } from "./api";
import { type DataField, type KindId, kinds } from "./kinds";
import { fromField, toField } from "./zone-time";

export type Texts = Record<string, string>;

/** What somebody is writing. Times are by the clock of the merchant. */
export type Draft = {
  slot: string;
  isShown: boolean;
  startsAt: string;
  endsAt: string;
  data: Record<string, string>;
  texts: Record<Lang, Texts>;
};

export type Faults = Readonly<Record<string, Key>>;

const filled = (values: unknown, names: readonly string[]): Texts => {
  const given = (values ?? {}) as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, String(given[name] ?? "")]));
};

const dataNames = (kind: KindId) => kinds[kind].data.map(({ name }) => name);
const textNames = (kind: KindId) => kinds[kind].texts.map(({ name }) => name);

/** A piece as it is written. */
export function draftOf(row: ContentRow, kind: KindId, zone: string): Draft {
  return {
    slot: row.slot,
    isShown: row.isShown,
    startsAt: toField(row.startsAt ?? null, zone),
    endsAt: toField(row.endsAt ?? null, zone),
    data: filled(row.data, dataNames(kind)),
    texts: {
      EN: filled(row.texts["EN"], textNames(kind)),
      TY: filled(row.texts["TY"], textNames(kind)),
    },
  };
}

/** A piece that is begun: hidden until somebody shows it. */
export function newDraft(kind: KindId, slot: string): Draft {
  const choices = kinds[kind].data.flatMap(({ name, choices: given }) =>
    given?.[0] ? [[name, given[0].value]] : [],
  );
  return {
    slot,
    isShown: false,
    startsAt: "",
    endsAt: "",
    data: filled(Object.fromEntries(choices), dataNames(kind)),
    texts: { EN: filled({}, textNames(kind)), TY: filled({}, textNames(kind)) },
  };
}

/** Whether a field is asked for, as the others are. */
export function isAsked({ only }: DataField, { slot, data }: Draft): boolean {
  if (!only) return true;
  return only.values.includes(only.field === "slot" ? slot : (data[only.field] ?? ""));
}

/** The languages in which something is written. */
export function writtenIn({ texts }: Draft): Lang[] {
  const langs = Object.keys(texts) as Lang[];
  return langs.filter((lang) => Object.values(texts[lang]).some((text) => text.trim() !== ""));
}

/** What is wrong with a draft, by `data.name`, `texts.EN.name` and the like. A language may be left out as a whole, the usual one may not. */
export function faultsOf(draft: Draft, kind: KindId, usual: Lang): Faults {
  const { data, texts } = kinds[kind];
  const faults: Record<string, Key> = {};
  for (const field of data) {
    if (field.isNeeded && isAsked(field, draft) && !draft.data[field.name]?.trim()) {
      faults[`data.${field.name}`] = "office.required";
    }
  }
  for (const lang of new Set([usual, ...writtenIn(draft)])) {
    for (const { name, isNeeded } of texts) {
      if (isNeeded && !draft.texts[lang][name]?.trim()) {
        faults[`texts.${lang}.${name}`] = "office.required";
      }
    }
  }
  if (draft.startsAt && draft.endsAt && draft.endsAt <= draft.startsAt) {
    faults["endsAt"] = "edit.fault_ends";
  }
  return faults;
}

const trimmed = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]));

/** A draft as the server takes it: what is not asked for, or left empty, is null. */
export function valueOf(draft: Draft, kind: KindId, zone: string): ContentValue {
  const data = kinds[kind].data.map((field) => {
    const text = isAsked(field, draft) ? draft.data[field.name]?.trim() : "";
    const value = field.name === "bytes" && text ? Number(text) : text;
    return [field.name, value || null];
  });
  const texts = writtenIn(draft).map((lang) => [lang, trimmed(draft.texts[lang])]);
  return {
    slot: draft.slot,
    isShown: draft.isShown,
    startsAt: fromField(draft.startsAt, zone),
    endsAt: fromField(draft.endsAt, zone),
    data: Object.fromEntries(data) as ContentValue["data"],
    texts: Object.fromEntries(texts) as ContentValue["texts"],
  };
}

/** Whether two drafts say the same. */
export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The title of a piece in a language, else in any. */
export function titleOf(row: Pick<ContentRow, "texts">, lang: Lang): string {
  const titles = [row.texts[lang], ...Object.values(row.texts)].map(
    (texts) => texts?.["title"] ?? texts?.["name"],
  );
  return titles.find(Boolean) ?? "–";
}
