import type { Arg, Key, Translate } from "@/lib/i18n/i18n";

/** A sentence that is put into words where it is shown; its parts may be sentences themselves. */
export type Said = { key: Key; args: readonly (Arg | Said)[] };

export function said(key: Key, ...args: readonly (Arg | Said)[]): Said {
  return { key, args };
}

/** A sentence in the language of `t`. */
export function say(t: Translate, { key, args }: Said): string {
  return t(key, ...args.map((arg) => (typeof arg === "object" ? say(t, arg) : arg)));
}

/** Fields of unknown data: what is not there, or is of another kind, is told as such and never throws. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

export const numberIn = (fields: Fields, name: string): number => {
  const value = fields[name];
  return typeof value === "number" ? value : 0;
};

export const numbersIn = (fields: Fields, name: string): readonly number[] => {
  const value = fields[name];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is number => typeof item === "number");
};

export const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

/** Hundredths as a person reads them: 250 → "2.5". */
export const times100 = (hundredths: number): string => String(hundredths / 100);

/** Tiles, segments and rows are counted from one where people read them. */
export const place = (index: number): number => index + 1;
