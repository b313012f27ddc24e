import { useSyncExternalStore } from "react";
import type auth from "@/locales/en/auth.json";
import type catalogue from "@/locales/en/catalogue.json";
import type content from "@/locales/en/content.json";
import type core from "@/locales/en/core.json";
import type down from "@/locales/en/down.json";
import type errors from "@/locales/en/errors.json";
import type fair from "@/locales/en/fair.json";
import type games from "@/locales/en/games.json";
import type home from "@/locales/en/home.json";
import type inbox from "@/locales/en/inbox.json";
import type join from "@/locales/en/join.json";
import type later from "@/locales/en/later.json";
import type ledger from "@/locales/en/ledger.json";
import type meta from "@/locales/en/meta.json";
import type members from "@/locales/en/members.json";
import type offer from "@/locales/en/offer.json";
import type office from "@/locales/en/office.json";
import type officeInbox from "@/locales/en/office-inbox.json";
import type officeContent from "@/locales/en/office-content.json";
import type promotions from "@/locales/en/promotions.json";
import type seamless from "@/locales/en/seamless.json";
import type security from "@/locales/en/security.json";
import type settings from "@/locales/en/settings.json";
import type service from "@/locales/en/service.json";
import type shell from "@/locales/en/shell.json";
import type told from "@/locales/en/told.json";
import { type Lang, isLang, languageFolder, languageTag } from "./languages";

type Files = {
  core: keyof typeof core;
  down: keyof typeof down;
  auth: keyof typeof auth;
  catalogue: keyof typeof catalogue;
  content: keyof typeof content;
  errors: keyof typeof errors;
  fair: keyof typeof fair;
  games: keyof typeof games;
  home: keyof typeof home;
  inbox: keyof typeof inbox;
  join: keyof typeof join;
  later: keyof typeof later;
  ledger: keyof typeof ledger;
  members: keyof typeof members;
  meta: keyof typeof meta;
  offer: keyof typeof offer;
  office: keyof typeof office;
  "office-content": keyof typeof officeContent;
  "office-inbox": keyof typeof officeInbox;
  promotions: keyof typeof promotions;
  seamless: keyof typeof seamless;
  security: keyof typeof security;
  settings: keyof typeof settings;
  service: keyof typeof service;
  shell: keyof typeof shell;
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
let chosen: Lang = current;
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

/** Loads everything wanted, also what becomes wanted meanwhile. */
async function loadWanted(lang: Lang): Promise<void> {
  const count = wanted.size;
  await Promise.all([...wanted].map((namespace) => loadOne(lang, namespace)));
  if (wanted.size > count) await loadWanted(lang);
}

/**
 * Loads message files in the current language; a page or popup is shown only after its own are there. Whatever is
 * loaded later may also fail, so the sentences for that come along.
 */
export async function loadMessages(...namespaces: readonly Namespace[]): Promise<void> {
  wanted.add("errors");
  for (const namespace of namespaces) wanted.add(namespace);
  for (let lang; lang !== current;) await loadWanted((lang = current));
}

/** Changes the language: everything shown so far is loaded first, so no text is missing on the way. */
export async function changeLanguage(lang: Lang): Promise<void> {
  chosen = lang;
  await loadWanted(lang);
  // Of two changes the later one holds, whichever is loaded first.
  if (chosen !== lang) return;
  current = lang;
  announce();
}

/** Keeps the choice for the next visit; the cookie lets the server send the right document. */
export function rememberLanguage(lang: Lang): void {
  localStorage.setItem("lang", lang);
  localStorage.setItem("hisLang", lang);
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `lang=${lang}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** What was chosen on this device, if anything was. */
export function keptLanguage(): Lang | null {
  const kept = localStorage.getItem("lang") ?? localStorage.getItem("hisLang");
  return isLang(kept) ? kept : null;
}

/** The remembered language, or the one that the server chose. */
export function startLanguage(fromServer: Lang): Lang {
  return keptLanguage() ?? fromServer;
}

/** Shows keys in brackets instead of texts, for the test that finds text which bypasses `t`. */
export function setPseudo(on: boolean): void {
  pseudo = on;
  announce();
}

/** Shows keys where the device is told to, and follows when it is told in another tab. */
export function followPseudo(): void {
  const look = () => setPseudo(localStorage.getItem("pseudo") === "1");
  addEventListener("storage", ({ key }) => {
    if (key === "pseudo") look();
  });
  look();
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
