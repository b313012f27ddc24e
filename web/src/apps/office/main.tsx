import "@/styles/office.css";
import { createRoot } from "react-dom/client";
import {
  changeLanguage,
  currentLang,
  loadMessages,
  onLanguageChange,
  setPseudo,
  startLanguage,
} from "@/lib/i18n/i18n";
import { languageTag } from "@/lib/i18n/languages";
import { loadPart } from "@/lib/lazy";
import { OfficeApp } from "./office-app";

async function start(): Promise<void> {
  const lang = startLanguage(navigator.language.startsWith("fil") ? "TY" : "EN");
  await loadPart(() => changeLanguage(lang));
  await loadPart(() => loadMessages("office"));
  setPseudo(localStorage.getItem("pseudo") === "1");
  const describe = () => {
    document.documentElement.lang = languageTag(currentLang());
  };
  onLanguageChange(describe);
  describe();
  const container = document.getElementById("root");
  if (!container) throw new Error("the document has no root");
  createRoot(container).render(<OfficeApp />);
}

void start();
