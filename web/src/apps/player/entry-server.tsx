import { createMemoryHistory } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { type Key, changeLanguage, loadMessages, t } from "@/lib/i18n/i18n";
import { type Lang, languageTag } from "@/lib/i18n/languages";
import { App } from "./app";
import { descriptionOf } from "./descriptions";
import { DomainCheck } from "./domain-check";
import { ShellOnly } from "./shell-only";
import { createQueryClient } from "@/lib/query-client";
import { createPlayerRouter } from "./router";

export type Rendered = { html: string; tag: string; title: string; description: string };

async function prepared(lang: Lang, path: string) {
  setBoot(sampleBoot(lang));
  await changeLanguage(lang);
  const client = createQueryClient();
  const router = createPlayerRouter(client, createMemoryHistory({ initialEntries: [path] }));
  return { client, router };
}

function finished(lang: Lang, html: string): Rendered {
  return {
    html,
    tag: languageTag(lang),
    title: t("site.title", "Capiz"),
    description: t("site.description"),
  };
}

export async function renderHome(lang: Lang): Promise<Rendered> {
  const { client, router } = await prepared(lang, "/");
  await router.load();
  return finished(lang, renderToString(<App client={client} router={router} />));
}

/** The frame of the page around a skeleton, for every page whose content is not known at build time. */
export async function renderShell(lang: Lang): Promise<Rendered> {
  const { client, router } = await prepared(lang, "/-");
  await router.load();
  return finished(lang, renderToString(<ShellOnly client={client} router={router} />));
}

export async function renderDomainCheck(lang: Lang): Promise<Rendered> {
  await prepared(lang, "/");
  return finished(lang, renderToString(<DomainCheck />));
}

/** What pages are called and how they are described, by their path; `{0}` is the merchant's name. */
export async function describePages(
  lang: Lang,
): Promise<Record<string, { title: string; description: string }>> {
  const { router } = await prepared(lang, "/");
  // Pages that are loaded later have their titles in files of their own.
  await loadMessages("meta", "content", "promotions", "seamless", "join", "down", "later");
  const routes = Object.values(router.routesByPath) as {
    fullPath: string;
    options: { staticData?: { title?: Key } };
  }[];
  const described = routes.map(({ fullPath, options }) => {
    const title = options.staticData?.title;
    const whole = title && title !== "nav.home" ? `${t(title)} · {0}` : t("site.title", "{0}");
    // `/play/$gameCode` is found by what stands before the code.
    const path = fullPath.replace(/\/\$.*$/, "");
    return [path, { title: whole, description: t(descriptionOf(path), "{0}") }] as const;
  });
  return Object.fromEntries(described);
}
