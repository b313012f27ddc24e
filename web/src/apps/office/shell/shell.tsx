import { type ReactNode, useEffect, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Bar } from "./bar";
import { MenuDrawer } from "./menu-drawer";
import { Palette } from "./palette";
import { SideNav } from "./side-nav";

/** Header, menu, page; the palette opens above them from anywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useT();
  const [open, setOpen] = useState<"menu" | "palette" | null>(null);
  const close = () => setOpen(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Whatever lies open keeps the keyboard: its form would be lost.
      if (!document.querySelector("dialog:modal")) setOpen("palette");
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <a href="#main" className="skip-link">
        {t("nav.skip")}
      </a>
      <Bar onMenu={() => setOpen("menu")} onPalette={() => setOpen("palette")} />
      <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
        <SideNav />
        <main id="main" tabIndex={-1} className="min-w-0 p-4 outline-none lg:px-7 lg:py-6">
          {children}
        </main>
      </div>
      {open === "menu" && <MenuDrawer onClose={close} />}
      {open === "palette" && <Palette onClose={close} />}
    </>
  );
}
