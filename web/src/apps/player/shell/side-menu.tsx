import { Link } from "@tanstack/react-router";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { navItems } from "./nav";

const activeOptions = { exact: true } as const;

/** The slim rail at the left, on wide screens. */
export function SideMenu() {
  const t = useT();
  return (
    <nav
      aria-label={t("nav.label")}
      className="sticky top-16 hidden h-[calc(100dvh-4rem)] w-21 shrink-0 flex-col border-r border-line lg:flex"
    >
      <ul className="grid gap-1 p-2 pt-4">
        {navItems.map((item) => (
          <li key={item.label}>
            <Link
              {...item.link}
              activeOptions={item.link.to === "/" ? activeOptions : {}}
              className="rail-link leaf grid min-h-16 content-center justify-items-center gap-1 text-xs text-muted hover:bg-raised hover:text-ink"
            >
              <Icon name={item.icon} />
              {t(item.label)}
            </Link>
          </li>
        ))}
      </ul>
      <div className="lattice lattice-up mt-auto h-2/5" aria-hidden="true" />
    </nav>
  );
}

/** The bar at the bottom, on phones. */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const t = useT();
  const look =
    "rail-link grid min-h-14 content-center justify-items-center gap-0.5 text-[0.6875rem] text-muted";
  return (
    <nav
      aria-label={t("nav.label")}
      className="bottom-bar fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-canvas lg:hidden"
    >
      {navItems.map((item) => (
        <Link
          key={item.label}
          {...item.link}
          activeOptions={item.link.to === "/" ? activeOptions : {}}
          className={look}
        >
          <Icon name={item.icon} />
          {t(item.label)}
        </Link>
      ))}
      <button type="button" onClick={onMenu} className={look}>
        <Icon name="menu" />
        {t("nav.menu")}
      </button>
    </nav>
  );
}
