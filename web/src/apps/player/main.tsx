import "@/styles/player.css";
import { createRoot } from "react-dom/client";
import { noteInvitation } from "@/features/auth/invitation";
import { getBoot } from "@/lib/boot/boot";
import {
  changeLanguage,
  currentLang,
  onLanguageChange,
  setPseudo,
  startLanguage,
  t,
} from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { loadPart } from "@/lib/lazy";
import { pushed } from "@/lib/push/apply";
import { createQueryClient } from "@/lib/query-client";
import { App } from "./app";
import { goLive } from "./live";
import { setUpPlayerPopups } from "./popup-registry";
import { createPlayerRouter } from "./router";

function wantsPseudo(): boolean {
  return localStorage.getItem("pseudo") === "1";
}

async function start(): Promise<void> {
  const client = createQueryClient();
  const router = createPlayerRouter(client);
  setUpPlayerPopups(client);
  noteInvitation(location.search, sessionStorage);
  const boot = getBoot();
  const chosen = startLanguage(boot.lang);
  const lang = boot.merchant.languages.includes(chosen) ? chosen : boot.lang;
  await loadPart(() => changeLanguage(lang));
  setPseudo(wantsPseudo());

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
    setTimeout(() => void client.invalidateQueries({ queryKey: pushed.boot }));
  });
  router.subscribe("onResolved", ({ pathChanged }) => {
    describe();
    if (pathChanged) scrollTo({ top: 0, behavior: "instant" });
  });

  // The prerendered page stays on the screen until everything that it shows can be rendered anew.
  await router.load();
  const container = document.getElementById("root");
  if (!container) throw new Error("the document has no root");
  createRoot(container).render(<App client={client} router={router} />);
  delete document.documentElement.dataset["session"];
  describe();
  goLive(client);
}

/** The prerendered page comes first: nothing here may hold up its first paint. */
function afterFirstPaint(run: () => void): void {
  const wait = () => requestAnimationFrame(() => setTimeout(run));
  // A hidden tab paints nothing, so there is nothing to wait for.
  if (document.visibilityState === "visible") wait();
  else run();
}

afterFirstPaint(() => void start());
