import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ComponentProps } from "react";

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

/** What stands behind the question mark. */
export type Search = Readonly<Record<string, string | undefined>>;

/** Texts stay texts: a name made of digits is no number. */
export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * The library's types know one router, that of the players. The office's addresses are typed here, and cast here
 * only.
 */
const target = (to: OfficePath, search: Search) => ({ to, search }) as unknown as { to: "/" };

type OfficeLinkProps = Omit<ComponentProps<"a">, "href"> & { to: OfficePath; search?: Search };

const noSearch: Search = {};

export function OfficeLink({ to, search = noSearch, ...rest }: OfficeLinkProps) {
  // A page is open whatever is looked for on it; a link that looks for something is not the page.
  const activeOptions = { exact: true, includeSearch: search !== noSearch };
  return <Link {...target(to, search)} activeOptions={activeOptions} {...rest} />;
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
    const search = (now: Search) => ({ ...now, ...change });
    void navigate({ to: ".", search: search as unknown as true, replace: true });
  };
}

/** What the address asks for. */
export function useAddress(): Search {
  return useSearch({ strict: false }) as Search;
}

/** Which one of many the page shows. */
export function useFileId(): string {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id ?? "";
}
