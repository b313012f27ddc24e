import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { categoryOf } from "@/features/games/categories";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { Icon } from "@/ui/icon";
import { type NavItem, barItems, isCategory, navItems } from "./nav";

const VendorMenu = lazy(() => loadPart(() => import("@/features/games/components/vendor-menu")));

const activeOptions = { exact: true } as const;

const openQuick = () => openPopup("miniGame", {});

const railLook =
  "rail-link leaf grid min-h-16 w-full content-center justify-items-center gap-1 text-center text-xs text-muted hover:bg-raised hover:text-ink";

/** The slim rail at the left, on wide screens. */
export function SideMenu() {
  const t = useT();
  return (
    <nav
      aria-label={t("nav.label")}
      className="rail sticky top-16 z-30 hidden h-[calc(100dvh-4rem)] w-21 shrink-0 flex-col border-r border-line lg:flex"
    >
      <ul className="grid gap-1 p-2 pt-4">
        {navItems().map((item) => (
          <RailItem key={item.label} item={item} />
        ))}
        <li>
          <button type="button" onClick={openQuick} className={railLook}>
            <Icon name="quick" />
            {t("nav.quick")}
          </button>
        </li>
      </ul>
      <div className="lattice lattice-up mt-auto h-2/5" aria-hidden="true" />
    </nav>
  );
}

/** Vendors show beside a category while the pointer or the focus is there. */
function RailItem({ item }: { item: NavItem }) {
  const [over, setOver] = useState(false);
  const close = () => setOver(false);
  const path = item.to;
  const menu = isCategory(path)
    ? getBoot().menus.find(({ gameCategory }) => gameCategory === categoryOf(path))
    : undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only hears of what happens to the links inside
    <li
      className="relative"
      onPointerEnter={(event) => setOver(event.pointerType === "mouse")}
      onPointerLeave={close}
      onFocus={() => setOver(true)}
      onBlur={(event) => setOver(event.currentTarget.contains(event.relatedTarget))}
    >
      <RailEntry item={item} onClick={close} />
      {over && menu && isCategory(path) && (
        <Suspense>
          <VendorMenu path={path} menu={menu} onClose={close} />
        </Suspense>
      )}
    </li>
  );
}

function RailEntry({ item, onClick }: { item: NavItem; onClick: () => void }) {
  const t = useT();
  const content = (
    <>
      <Icon name={item.icon} />
      {t(item.label)}
    </>
  );
  if (item.to === undefined) {
    return (
      <button type="button" onClick={item.open} className={railLook}>
        {content}
      </button>
    );
  }
  const exact = item.to === "/" ? activeOptions : {};
  return (
    <Link to={item.to} activeOptions={exact} onClick={onClick} className={railLook}>
      {content}
    </Link>
  );
}

/** The bar at the bottom, on phones: home, two categories, quick games, and the menu with all of it. */
export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const t = useT();
  const look =
    "rail-link grid min-h-14 content-center justify-items-center gap-0.5 text-[0.6875rem] text-muted";
  return (
    <nav
      aria-label={t("nav.label")}
      className="bottom-bar fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-canvas lg:hidden"
    >
      {barItems().map(({ label, icon, to }) => (
        <Link key={label} to={to} activeOptions={to === "/" ? activeOptions : {}} className={look}>
          <Icon name={icon} />
          {t(label)}
        </Link>
      ))}
      <button type="button" onClick={openQuick} className={look}>
        <Icon name="quick" />
        {t("nav.quick")}
      </button>
      <button type="button" onClick={onMenu} className={look}>
        <Icon name="menu" />
        {t("nav.menu")}
      </button>
    </nav>
  );
}
