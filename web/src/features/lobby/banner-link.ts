import type { Banner } from "@/lib/boot/boot";

/** Where a banner leads: a page of ours, or one of somebody else. */
export type BannerTarget = { href: string; isOurs: boolean };

/** A banner without a usable address leads nowhere: it is shown, but is no link. */
export function bannerTarget({ url, linkageType }: Banner): BannerTarget | null {
  if (!url) return null;
  switch (linkageType) {
    case "ROUTE":
      return ours(url);
    case "GAME":
      return ours(below("/play/", url));
    case "PROMOTION":
      return ours(below("/promotions/", url));
    case "OUTSIDE":
    case "VIDEO":
      return outside(url);
    default:
      return null;
  }
}

/** Staff may give the name alone or the whole path. */
function below(parent: string, name: string): string {
  return name.startsWith("/") ? name : parent + encodeURIComponent(name);
}

/** Two strokes at the beginning would be the address of another site. */
function ours(href: string): BannerTarget | null {
  return /^\/(?![/\\])/.test(href) ? { href, isOurs: true } : null;
}

function outside(href: string): BannerTarget | null {
  return /^https?:\/\//i.test(href) ? { href, isOurs: false } : null;
}
