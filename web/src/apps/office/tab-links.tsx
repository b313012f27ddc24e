import { OfficeLink, type OfficePath, type Search } from "./address";

type TabLinksProps<T extends string> = {
  label: string;
  path: OfficePath;
  tabs: readonly { id: T; label: string }[];
  current: T;
  /** What every part keeps of the address. */
  kept?: Search;
};

const nothing: Search = {};

/** The parts of a page. Each has an address of its own, so they are links. */
export function TabLinks<T extends string>(props: TabLinksProps<T>) {
  const { label, path, tabs, current, kept = nothing } = props;
  if (tabs.length < 2) return null;
  return (
    <nav aria-label={label} className="mb-4 border-b border-line">
      <ul className="-mb-px flex flex-wrap">
        {tabs.map((tab, index) => (
          <li key={tab.id}>
            <OfficeLink
              to={path}
              search={index === 0 ? { ...kept } : { ...kept, tab: tab.id }}
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
