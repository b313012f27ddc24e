/** Which form remembers something. */
export type Part = "login" | "number";

/** Nothing is remembered where the page is not secure, so that no other host or page can plant one of these. */
export const cookieNames: Readonly<Record<Part, string>> = {
  login: "__Host-remember",
  number: "__Host-rememberNumber",
};

/** What a form has in its cookie, or null. Readable to nobody: it is encrypted. */
export function readCookie(part: Part): string | null {
  const start = `${cookieNames[part]}=`;
  const pair = document.cookie.split("; ").find((one) => one.startsWith(start));
  return pair?.slice(start.length) ?? null;
}
