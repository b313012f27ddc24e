import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, lazy, useState } from "react";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { PopupHost } from "@/ui/popup-host";
import { SiteGate, bootQuery } from "../site-gate";
import { Header } from "./header";
import { BottomBar, SideMenu } from "./side-menu";

/** A part of the shell that comes after the first screen, with its words. */
function later<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    const [part] = await Promise.all([loadPart(load), loadPart(() => loadMessages("shell"))]);
    return part;
  };
}

const Drawer = lazy(later(() => import("./drawer")));
const Footer = lazy(later(() => import("./footer")));
const RightBar = lazy(later(() => import("./right-bar")));

/** A page that begins with words stands further from the header than one that begins with a panel. */
const textFirst = "has-[>*>header:first-child]:pt-7 lg:has-[>*>header:first-child]:pt-10";

/** Side menu, header, main content, right bar, footer; popups and toasts above them. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useT();
  const [menuOpen, setMenuOpen] = useState(false);
  // A changed setting renders everything anew that is here, popups included.
  const { data: boot } = useQuery(bootQuery);
  return (
    <SiteGate status={boot.status}>
      <a href="#main" className="skip-link">
        {t("nav.skip")}
      </a>
      <Header />
      {/* The columns are known before all of the document is there: what has come does not get narrower. */}
      <div className="lg:grid lg:grid-cols-[auto_minmax(0,1fr)_3.75rem]">
        <SideMenu />
        <div className="min-w-0">
          <main
            id="main"
            tabIndex={-1}
            className={`mx-auto min-h-[70vh] max-w-340 px-4 pt-4 outline-none lg:px-7 lg:pt-6 ${textFirst}`}
          >
            {children}
          </main>
          <After>
            <Footer />
          </After>
        </div>
        <div className="sticky top-16 hidden h-[calc(100dvh-4rem)] border-l border-line p-2 pt-4 lg:block">
          <After>
            <RightBar />
          </After>
        </div>
      </div>
      <BottomBar onMenu={() => setMenuOpen(true)} />
      {menuOpen && (
        <Suspense>
          <Drawer onClose={() => setMenuOpen(false)} />
        </Suspense>
      )}
      <PopupHost />
    </SiteGate>
  );
}

/** What is not in the prerendered page. */
function After({ children }: { children: ReactNode }) {
  return import.meta.env.SSR ? null : <Suspense>{children}</Suspense>;
}
