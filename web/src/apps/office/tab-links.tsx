import { OfficeLink, type OfficePath } from "./address";

type TabLinksProps<T extends string> = {
  label: string;
  path: OfficePath;
  tabs: readonly { id: T; label: string }[];
  current: T;
};

/** The parts of a page. Each has an address of its own, so they are links. */
export function TabLinks<T extends string>({ label, path, tabs, current }: TabLinksProps<T>) {
  if (tabs.length < 2) return null;
  return (
    <nav aria-label={label} className="mb-4 overflow-x-auto border-b border-line">
      <ul className="flex">
        {tabs.map((tab, index) => (
          <li key={tab.id}>
            <OfficeLink
              to={path}
              search={index === 0 ? {} : { tab: tab.id }}
              aria-current={tab.id === current ? "page" : undefined}
              className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-semibold whitespace-nowrap text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {tab.label}
            </OfficeLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
