/** Which form remembers something. */
export type Part = "login" | "number";

export const cookieNames: Readonly<Record<Part, string>> = {
  login: "remember",
  number: "rememberNumber",
};

/** What a form has in its cookie, or null. Readable to nobody: it is encrypted. */
export function readCookie(part: Part): string | null {
  const start = `${cookieNames[part]}=`;
  const pair = document.cookie.split("; ").find((one) => one.startsWith(start));
  return pair?.slice(start.length) ?? null;
}
