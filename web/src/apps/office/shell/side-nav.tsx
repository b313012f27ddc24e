import { useRouterState } from "@tanstack/react-router";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { OfficeLink } from "../address";
import { pagesOf } from "../pages";
import { useMe } from "../session";
import { PageMark } from "./page-mark";

/** The menu at the left, on wide screens. */
export function SideNav() {
  const t = useT();
  return (
    <nav
      aria-label={t("nav.label")}
      className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] flex-col border-r border-line lg:flex"
    >
      <PageLinks />
      <div className="lattice office-rail mt-auto h-1/4" aria-hidden="true" />
    </nav>
  );
}

/** What the person may open; nothing else is shown. */
export function PageLinks({ onFollow }: { onFollow?: () => void }) {
  const t = useT();
  const me = useMe();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <ul className="grid gap-0.5 p-2 lg:pt-4">
      {pagesOf(me).map(({ path, title, icon }) => (
        <li key={path}>
          <OfficeLink
            to={path}
            onClick={onFollow}
            // One of many belongs to their list.
            {...(here.startsWith(`${path}/`) && { "aria-current": "page" })}
            className="leaf flex min-h-11 items-center gap-3 px-3 text-muted [&_svg]:shrink-0 hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-accent-text"
          >
            <Icon name={icon} />
            {t(title)}
            <PageMark path={path} />
          </OfficeLink>
        </li>
      ))}
    </ul>
  );
}
