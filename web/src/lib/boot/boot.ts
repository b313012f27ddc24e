import type { GameItem, Menu } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";
import type { PhoneService } from "@/lib/phone-service/phone-service";

export type SiteStatus = 0 | 1 | 2;

/** A picture with words that staff have put somewhere, and where it leads. */
export type Banner = {
  id: string;
  groupName: string;
  title: string;
  text: string | null;
  image: string | null;
  alt: string;
  url: string | null;
  linkageType: "NONE" | "ROUTE" | "OUTSIDE" | "PROMOTION" | "GAME" | "VIDEO";
};

/** A notice as it passes by; the whole of it is in the list. */
export type NoticeTitle = { id: string; title: string };

/** A place of the brand outside. */
export type SocialLink = {
  label: string;
  url: string;
  type: "LANDING" | "YOUTUBE" | "INSTAGRAM" | "FACEBOOK" | "TELEGRAM";
};

/** What the server puts into the document, so that the page is useful before any request returns. */
export type Boot = {
  lang: Lang;
  merchant: {
    code: string;
    name: string;
    currency: string;
    timeZone: string;
    languages: Lang[];
    /** Of mobile numbers that come without one, like `63`. */
    dialingCode: string;
  };
  status: SiteStatus;
  switches: Record<string, boolean>;
  /** Somebody else proves phone numbers, where the merchant has it so. */
  phoneService: PhoneService | null;
  /** Where the brand is found outside: customer service, and what other links say and lead to. */
  links: { service: string | null; social: SocialLink[] };
  /** The games that come first, and those alone that can be started. */
  games: GameItem[];
  /** The hot games of the home page. */
  hot: GameItem[];
  /** The new games of the home page, and those with a jackpot; what does not come along is asked for. */
  newGames?: GameItem[];
  jackpotGames?: GameItem[];
  /** The banners of the home page. */
  banners?: Banner[];
  /** The latest notices. */
  notices?: NoticeTitle[];
  /** The categories that have games. */
  menus: Menu[];
  /** The kinds of games whose providers are listed on a page of their own. */
  centers: string[];
  /** The merchant's id at the service that counts visits. */
  analyticsId: string | null;
  /** Where pictures of games come from, besides the site itself. */
  imageCDNs: string[];
  /** The youngest that may be a member where the visitor is, in years. */
  minimumAge: number;
};

let current: Boot | null = null;

export function setBoot(boot: Boot): void {
  current = boot;
}

/** The boot data of this document. The server wrote them, so their shape is not checked again. */
export function getBoot(): Boot {
  current ??= JSON.parse(document.getElementById("boot")?.textContent ?? "null") as Boot | null;
  if (!current) throw new Error("the document holds no boot data");
  return current;
}

/** Whether a feature of the whitelabel tree is on. What the server does not name is off. */
export function isSwitchedOn(name: string): boolean {
  return getBoot().switches[name] === true;
}
