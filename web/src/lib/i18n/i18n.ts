import { useSyncExternalStore } from "react";
import type auth from "@/locales/en/auth.json";
import type catalogue from "@/locales/en/catalogue.json";
import type core from "@/locales/en/core.json";
import type fair from "@/locales/en/fair.json";
import type games from "@/locales/en/games.json";
import type home from "@/locales/en/home.json";
import type ledger from "@/locales/en/ledger.json";
import type members from "@/locales/en/members.json";
import type offer from "@/locales/en/offer.json";
import type office from "@/locales/en/office.json";
import type security from "@/locales/en/security.json";
import type settings from "@/locales/en/settings.json";
import type service from "@/locales/en/service.json";
import type terms from "@/locales/en/terms.json";
import type told from "@/locales/en/told.json";
import { type Lang, isLang, languageFolder, languageTag } from "./languages";

type Files = {
  core: keyof typeof core;
  auth: keyof typeof auth;
  catalogue: keyof typeof catalogue;
  fair: keyof typeof fair;
  games: keyof typeof games;
  home: keyof typeof home;
  ledger: keyof typeof ledger;
  members: keyof typeof members;
  offer: keyof typeof offer;
  office: keyof typeof office;
  security: keyof typeof security;
  settings: keyof typeof settings;
  service: keyof typeof service;
  terms: keyof typeof terms;
  told: keyof typeof told;
};

/** A file of messages; `core` is always loaded, the others come with the page or popup that needs them. */
export type Namespace = keyof Files;

/** Every message key, derived from the English files: an unknown key does not compile. */
export type Key = Files[Namespace];
export type Arg = string | number;
export type Translate = (key: Key, ...args: readonly Arg[]) => string;

const files = import.meta.glob<{ default: Record<string, string> }>("../../locales/*/*.json");

const loaded = new Map<Lang, Map<Namespace, Record<string, string>>>();
const wanted = new Set<Namespace>(["core"]);
const listeners = new Set<() => void>();
let current: Lang = "EN";
let pseudo = false;
let translate: Translate = makeTranslate();

function makeTranslate(): Translate {
  return (key, ...args) => {
    if (pseudo) return `[[${key}]]`;
    const text = lookUp(current, key) ?? lookUp("EN", key);
    return text === undefined ? key : fill(text, args);
  };
}

function lookUp(lang: Lang, key: string): string | undefined {
  for (const messages of loaded.get(lang)?.values() ?? []) {
    const text = messages[key];
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Puts the arguments into `{0}`, `{1}`, …; a placeholder without argument stays visible. */
export function fill(text: string, args: readonly Arg[]): string {
  return text.replace(/\{(\d+)\}/g, (whole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? whole : String(value);
  });
}

function announce(): void {
  translate = makeTranslate();
  for (const listener of listeners) listener();
}

async function loadOne(lang: Lang, namespace: Namespace): Promise<void> {
  const ofLang = loaded.get(lang) ?? new Map<Namespace, Record<string, string>>();
  loaded.set(lang, ofLang);
  if (ofLang.has(namespace)) return;
  const load = files[`../../locales/${languageFolder(lang)}/${namespace}.json`];
  if (!load) throw new Error(`no messages ${namespace} for ${lang}`);
  ofLang.set(namespace, (await load()).default);
}

/** Loads message files in the current language; a page or popup is shown only after its own are there. */
export async function loadMessages(...namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) wanted.add(namespace);
  await Promise.all([...wanted].map((namespace) => loadOne(current, namespace)));
}

/** Changes the language: everything shown so far is loaded first, so no text is missing on the way. */
export async function changeLanguage(lang: Lang): Promise<void> {
  await Promise.all([...wanted].map((namespace) => loadOne(lang, namespace)));
  current = lang;
  announce();
}

/** Keeps the choice for the next visit; the cookie lets the server send the right document. */
export function rememberLanguage(lang: Lang): void {
  localStorage.setItem("lang", lang);
  localStorage.setItem("hisLang", lang);
  document.cookie = `lang=${lang}; path=/; max-age=31536000; samesite=lax`;
}

/** The remembered language, or the one that the server chose. */
export function startLanguage(fromServer: Lang): Lang {
  const kept = localStorage.getItem("lang") ?? localStorage.getItem("hisLang");
  return isLang(kept) ? kept : fromServer;
}

/** Shows keys in brackets instead of texts, for the test that finds text which bypasses `t`. */
export function setPseudo(on: boolean): void {
  pseudo = on;
  announce();
}

export const t: Translate = (key, ...args) => translate(key, ...args);

/** Calls the listener after every change of language. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The translate function; the component renders again when the language changes. */
export function useT(): Translate {
  const get = () => translate;
  return useSyncExternalStore(onLanguageChange, get, get);
}

export function currentLang(): Lang {
  return current;
}

/** The site's language code (`EN`, `TY`). */
export function useLang(): Lang {
  return useSyncExternalStore(onLanguageChange, currentLang, currentLang);
}

/** The BCP-47 tag of the current language, for `Intl`. */
export function useLanguageTag(): string {
  return languageTag(useLang());
}
