import "@/styles/player.css";
import type { QueryClient } from "@tanstack/react-query";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { noteInvitation } from "@/features/auth/invitation";
import { keepMerchant, readToken } from "@/lib/api/token";
import { getBoot } from "@/lib/boot/boot";
import {
  changeLanguage,
  currentLang,
  followPseudo,
  onLanguageChange,
  rememberLanguage,
  startLanguage,
  t,
} from "@/lib/i18n/i18n";
import { type Lang, languageTag } from "@/lib/i18n/languages";
import { watchInstall } from "@/lib/install";
import { loadPart } from "@/lib/lazy";
import { pushed } from "@/lib/push/keys";
import { createQueryClient } from "@/lib/query-client";
import { App } from "./app";
import { goLive } from "./live";
import { setUpPlayerPopups } from "./popup-registry";
import { watchRecovery } from "./recovery-link";
import { createPlayerRouter } from "./router";
import { bootQuery, readyGate } from "./site-gate";

/** What the house announces comes after the page: nobody waits for it. */
const announceAfter = 1500;

async function count(id: string): Promise<void> {
  const { countVisits } = await loadPart(() => import("./analytics"));
  countVisits(id);
}

/** The choice outlived the cookie that tells the server of it: what came with the document comes in its language. */
async function speak(lang: Lang, client: QueryClient): Promise<void> {
  rememberLanguage(lang);
  await client.prefetchQuery({ ...bootQuery, staleTime: 0 });
}

async function start(): Promise<void> {
  const client = createQueryClient();
  const router = createPlayerRouter(client);
  setUpPlayerPopups(client);
  noteInvitation(location.search, sessionStorage);
  const boot = getBoot();
  keepMerchant(boot.merchant.code);
  const chosen = startLanguage(boot.lang);
  const lang = boot.merchant.languages.includes(chosen) ? chosen : boot.lang;
  await loadPart(() => changeLanguage(lang));
  followPseudo();

  const describe = () => {
    document.documentElement.lang = languageTag(currentLang());
    const title = router.state.matches.findLast((match) => match.staticData.title)?.staticData
      .title;
    const { name } = getBoot().merchant;
    document.title =
      title && title !== "nav.home" ? `${t(title)} · ${name}` : t("site.title", name);
  };
  onLanguageChange(() => {
    describe();
    void client.invalidateQueries({ queryKey: pushed.winners });
    // The choice is kept by then, so that the names of games come in the new language.
    // So do announcements, notices and whatever else the house says.
    setTimeout(() => void client.invalidateQueries({ queryKey: ["site"] }));
  });
  router.subscribe("onResolved", ({ pathChanged }) => {
    describe();
    if (pathChanged) scrollTo({ top: 0, behavior: "instant" });
  });

  // The prerendered page stays on the screen until everything that it shows can be rendered anew.
  await Promise.all([router.load(), readyGate(boot)]);
  const container = document.getElementById("root");
  if (!container) throw new Error("the document has no root");
  const shown = () => {
    delete document.documentElement.dataset["session"];
    document.querySelector("meta[name=other-banner]")?.remove();
    describe();
    goLive({ client, router });
    if (lang !== boot.lang) void speak(lang, client);
  };
  const root = createRoot(container);
  // In small pieces, between which a slow phone still answers to fingers.
  startTransition(() => root.render(<App client={client} router={router} onShown={shown} />));
  if (boot.analyticsId) void count(boot.analyticsId);
  const wasInside = readToken() !== null;
  setTimeout(async () => {
    const { announce } = await loadPart(() => import("@/features/content/announce"));
    announce(client, (listener) => router.subscribe("onResolved", listener), wasInside);
  }, announceAfter);
}

/** The prerendered page comes first: nothing here may hold up its first paint. */
function afterFirstPaint(run: () => void): void {
  const wait = () => requestAnimationFrame(() => setTimeout(run));
  // A hidden tab paints nothing, so there is nothing to wait for.
  if (document.visibilityState === "visible") wait();
  else run();
}

// Before the router and before whoever counts visits: neither is to see what a mail's link carries.
watchRecovery();
watchInstall();
afterFirstPaint(() => void start());
