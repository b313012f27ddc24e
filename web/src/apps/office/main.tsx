import "@/styles/office.css";
import { createRoot } from "react-dom/client";
import {
  changeLanguage,
  currentLang,
  followPseudo,
  loadMessages,
  onLanguageChange,
  startLanguage,
  t,
} from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { loadPart } from "@/lib/lazy";
import { createQueryClient } from "@/lib/query-client";
import { meQuery } from "./api";
import { watchHands } from "./idle";
import { OfficeApp } from "./office-app";
import { pageAt } from "./pages";
import { createOfficeRouter } from "./router";
import { followSession } from "./session";

async function speak(): Promise<void> {
  const lang = startLanguage(navigator.language.startsWith("fil") ? "TY" : "EN");
  await loadPart(() => changeLanguage(lang));
  await loadPart(() => loadMessages("office"));
  followPseudo();
}

async function start(): Promise<void> {
  const client = createQueryClient();
  const router = createOfficeRouter();
  watchHands();
  followSession(client);
  await Promise.all([speak(), client.prefetchQuery(meQuery), router.load()]);

  const describe = () => {
    document.documentElement.lang = languageTag(currentLang());
    const page = pageAt(router.state.location.pathname);
    document.title = page ? `${t(page.title)} · ${t("office.window")}` : t("office.window");
  };
  onLanguageChange(describe);
  router.subscribe("onResolved", ({ pathChanged }) => {
    describe();
    if (!pathChanged) return;
    scrollTo({ top: 0, behavior: "instant" });
    // What one may do can change at any time; whoever goes on is told.
    void client.prefetchQuery(meQuery);
  });
  const container = document.getElementById("root");
  if (!container) throw new Error("the document has no root");
  createRoot(container).render(<OfficeApp client={client} router={router} />);
  describe();
}

void start();
