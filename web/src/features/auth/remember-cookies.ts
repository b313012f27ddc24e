/** Which form remembers something. */
export type Part = "login" | "number";

/** Nothing is remembered where the page is not secure, so that no other host or page can plant one of these. */
export const cookieNames: Readonly<Record<Part, string>> = {
  login: "__Host-remember",
  number: "__Host-rememberNumber",
};

/** Of two forms that remember something, the one that did so last. */
export const lastName = "__Host-rememberedLast";
/** How long a form remembers, in seconds. */
export const day = 86_400;

function read(name: string): string | null {
  const start = `${name}=`;
  const pair = document.cookie.split("; ").find((one) => one.startsWith(start));
  return pair?.slice(start.length) ?? null;
}

function write(name: string, text: string | null): void {
  const life = text === null ? 0 : day;
  document.cookie = `${name}=${text ?? ""}; path=/; max-age=${life}; secure; samesite=strict`;
}

/** What a form has in its cookie, or null. Readable to nobody: it is encrypted. */
export function readCookie(part: Part): string | null {
  return read(cookieNames[part]);
}

/** Keeps a form's cookie for a day, or deletes it. */
export function writeCookie(part: Part, text: string | null): void {
  write(cookieNames[part], text);
  write(lastName, text === null ? null : part);
}

/** The form that remembered something last, among those that still do. */
export function lastKept(): Part | null {
  const kept = (["login", "number"] as const).filter((part) => readCookie(part) !== null);
  return kept.find((part) => part === read(lastName)) ?? kept[0] ?? null;
}
