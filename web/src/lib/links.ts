type Address = { origin: string; href: string };

/** A path of this site that the router can go to, out of a link's target; null for everything else. */
export function innerPath(href: string, here: Address): string | null {
  const url = URL.canParse(href, here.href) ? new URL(href, here.href) : null;
  if (!url || url.origin !== here.origin || !/^https?:$/.test(url.protocol)) return null;
  // Files come from the server, not from the router.
  if (/^\/(files|downloads|art|wps|lgw)\//.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

/** Whether a link leads to another site. Mail and telephone links stay in this window. */
export function isOutside(href: string, origin: string): boolean {
  const url = URL.canParse(href, origin) ? new URL(href, origin) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== origin;
}
