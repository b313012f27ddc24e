import { Link, useNavigate, useParams, useRouteContext, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** Pages that show one of many; `$id` in a route stands for which. */
export type FilePath = `/members/${string}` | `/rounds/${string}`;

/** The pages of the office. */
export type OfficePath =
  | "/"
  | "/staff"
  | "/roles"
  | "/trail"
  | "/settings"
  | "/approvals"
  | "/service"
  | "/members"
  | "/games"
  | "/content"
  | "/feedback"
  | "/affiliates"
  | FilePath;

/** What may stand behind the question mark, where the browser keeps it and everybody on the way can read it. */
type Written =
  | "account"
  | "action"
  | "approval"
  | "before"
  | "by"
  | "channel"
  | "from"
  | "game"
  | "item"
  | "kind"
  | "least"
  | "merchant"
  | "message"
  | "most"
  | "name"
  | "of"
  | "order"
  | "page"
  | "person"
  | "place"
  | "q"
  | "reason"
  | "role"
  | "state"
  | "status"
  | "tab"
  | "text"
  | "transfer"
  | "until"
  | "vassalage";

/**
 * By what people are looked for: names, numbers, addresses, and where a list of those goes on. It is kept with the
 * page's entry in the history of the tab, so that it is there after going back or loading again, and in no address.
 */
const unwritten = ["who", "after", "actor", "subject", "to"] as const;
type Unwritten = (typeof unwritten)[number];

/** What a page is asked for. Whoever adds a name decides where it is kept. */
export type Search = { readonly [N in Written | Unwritten]?: string | undefined };

const isUnwritten = (name: string) => unwritten.some((one) => one === name);

function part(search: Search, isWanted: (name: string) => boolean): Search {
  return Object.fromEntries(Object.entries(search).filter(([name]) => isWanted(name)));
}

export const writtenOf = (search: Search) => part(search, (name) => !isUnwritten(name));
export const unwrittenOf = (search: Search) => part(search, isUnwritten);

/** Texts stay texts: a name made of digits is no number. What should be in no address is not read from one. */
export function readSearch(text: string): Search {
  return writtenOf(Object.fromEntries(new URLSearchParams(text)));
}

export function writeSearch(search: Search): string {
  const given = Object.entries(writtenOf(search)).filter(([, value]) => value);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

const noSearch: Search = {};

/** What an entry of the history keeps beside its address, where there is such. */
type Kept = { sought?: Search };

export function keptOf(search: Search): Kept {
  const given = Object.entries(unwrittenOf(search)).filter(([, value]) => value);
  return given.length > 0 ? { sought: Object.fromEntries(given) } : {};
}

/** What is looked for comes to the page together with its address: both are of the same entry. */
export function readKept({ location }: { location: { state: object } }): Kept {
  return { sought: (location.state as Kept).sought ?? noSearch };
}

/**
 * The library's types know one router, that of the players. The office's addresses are typed here, and cast here
 * only.
 */
export function target(to: OfficePath, search: Search) {
  return { to, search: writtenOf(search), state: keptOf(search) } as unknown as { to: "/" };
}

type OfficeLinkProps = {
  to: OfficePath;
  search?: Search;
  onClick?: () => void;
  className?: string;
  "aria-current"?: "page" | undefined;
  "data-name"?: boolean;
  children: ReactNode;
};

/**
 * The way to a page. A link has nothing but its address, and opens in a new tab as well: where people are looked for it
 * is a button.
 */
export function OfficeLink({ to, search = noSearch, ...rest }: OfficeLinkProps) {
  if (keptOf(search).sought) return <SeekingButton to={to} search={search} {...rest} />;
  // A page is open whatever is looked for on it; a link that looks for something is not the page.
  const activeOptions = { exact: true, includeSearch: search !== noSearch };
  return <Link {...target(to, search)} activeOptions={activeOptions} {...rest} />;
}

type SeekingButtonProps = OfficeLinkProps & { search: Search };

function SeekingButton({ to, search, onClick, className = "", ...rest }: SeekingButtonProps) {
  const go = useGo();
  const follow = () => {
    onClick?.();
    go(to, search);
  };
  return <button type="button" {...rest} onClick={follow} className={`text-left ${className}`} />;
}

export function useGo() {
  const navigate = useNavigate();
  return (to: OfficePath, search: Search = {}): void => {
    void navigate(target(to, search));
  };
}

/** Changes a part of what the page is asked for, whatever else was changed in the meantime. */
export function useChangeSearch() {
  const navigate = useNavigate();
  return (change: Search): void => {
    const search = (now: Search) => ({ ...now, ...writtenOf(change) });
    const state = ({ sought }: Kept) => keptOf({ ...sought, ...change });
    void navigate({
      to: ".",
      search: search as unknown as true,
      state: state as unknown as true,
      replace: true,
    });
  };
}

/** What the page is asked for, by its address and beside it. */
export function useAddress(): Search {
  const written = useSearch({ strict: false }) as Search;
  const { sought } = useRouteContext({ strict: false }) as Kept;
  return { ...written, ...sought };
}

/** Which one of many the page shows. */
export function useFileId(): string {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id ?? "";
}
