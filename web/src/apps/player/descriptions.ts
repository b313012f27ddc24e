import type { Key } from "@/lib/i18n/i18n";

/** How pages are described to search engines and to those who share them. Read at build time only. */
const descriptions: Readonly<Record<string, Key>> = {
  "/": "site.description",
  "/login": "meta.login",
  "/register": "meta.register",
  "/help": "meta.help",
  "/rng": "meta.rng",
  "/hot": "meta.hot",
  "/promotions": "meta.promotions",
  "/join": "meta.join",
  "/down": "meta.down",
  "/pointMall": "meta.point_mall",
  "/seamless": "meta.seamless",
  "/fairness": "meta.fairness",
  "/verify": "meta.verify",
  "/proof": "meta.proof",
  "/terms": "meta.terms",
  "/privacy": "meta.privacy",
  "/responsible": "meta.responsible",
  "/about": "meta.about",
};

export function descriptionOf(path: string): Key {
  return descriptions[path] ?? "meta.any";
}
