import type { GameItem } from "@/lib/api/types";
import { type CenterPath, pathOf } from "./categories";

/** What a tile, a vendor of a menu or a link stands for. */
export type Launchable = Pick<
  GameItem,
  "gameCode" | "vassalage" | "gameType" | "isGame" | "supportPlay" | "maintenance"
>;

/** Who wants to play. Somebody whose session is still being read counts as a member: the server decides. */
export type Who = "visitor" | "trial" | "member" | "unknown";

export type Destination =
  | { kind: "login"; next: string }
  | { kind: "trial" }
  | { kind: "page"; href: string }
  | { kind: "center"; path: CenterPath; vassalage: string }
  | { kind: "list"; vassalage: string }
  | { kind: "maintenance"; gameCode: string }
  | { kind: "play"; gameCode: string };

/** Families whose games have pages of their own. */
const pages: Readonly<Record<string, (gameCode: string) => string>> = {
  TCG_LOTTO_VN: (gameCode) => `/vnLottery?gameCode=${encodeURIComponent(gameCode)}`,
  TCG_SEA: (gameCode) => `/seaLottery?gameCode=${encodeURIComponent(gameCode)}`,
  LOTT: (gameCode) => `/lottery?gameCode=${encodeURIComponent(gameCode)}`,
  ELOTT: (gameCode) => `/lottery?gameCode=${encodeURIComponent(gameCode)}`,
  FB: () => "/fbSports",
};

const freeTrial = 0;

/** Where somebody is led who wants to play this: the rules of launch, in their order. */
export function destinationOf(item: Launchable, who: Who, centers: readonly string[]): Destination {
  const { gameCode, vassalage } = item;
  const path = pathOf(item.gameType);
  if (who === "visitor") {
    return { kind: "login", next: gameCode ? `/play/${gameCode}` : (path ?? "/") };
  }
  if (who === "trial" && item.supportPlay !== freeTrial) return { kind: "trial" };
  const href = Object.hasOwn(pages, vassalage) ? pages[vassalage]?.(gameCode) : undefined;
  if (href !== undefined) return { kind: "page", href };
  if (item.isGame === "VASSALAGE") {
    // Not one game but a provider's: on the page of its kind where that is a list, or else in a popup.
    return path && centers.includes(item.gameType)
      ? { kind: "center", path, vassalage }
      : { kind: "list", vassalage };
  }
  return item.maintenance ? { kind: "maintenance", gameCode } : { kind: "play", gameCode };
}
