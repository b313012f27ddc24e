import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, lazy, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { PopupHost } from "@/ui/popup-host";
import { SiteGate, bootQuery } from "../site-gate";
import { Footer } from "./footer";
import { Header } from "./header";
import { BottomBar, SideMenu } from "./side-menu";

const Drawer = lazy(() => loadPart(() => import("./drawer")));

/** A page that begins with words stands further from the header than one that begins with a panel. */
const textFirst = "has-[>*>header:first-child]:pt-7 lg:has-[>*>header:first-child]:pt-10";

/** Side menu, header, main content, footer; popups and toasts above them. */
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
      <div className="flex">
        <SideMenu />
        <div className="min-w-0 grow">
          <main
            id="main"
            tabIndex={-1}
            className={`mx-auto min-h-[70vh] max-w-340 px-4 pt-4 outline-none lg:px-7 lg:pt-6 ${textFirst}`}
          >
            {children}
          </main>
          <Footer />
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
