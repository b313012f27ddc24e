import { demanded, openTrialNotice } from "@/features/auth/popups";
import { getBoot } from "@/lib/boot/boot";
import { openPopup } from "@/lib/popup/popup";
import { type Launchable, type Who, destinationOf } from "./launch";

/** Leads somebody who wants to play to where the rules of launch say; `go` opens an address. */
export function start(item: Launchable, who: Who, go: (href: string) => void): void {
  const to = destinationOf(item, who, getBoot().centers);
  switch (to.kind) {
    case "login":
      return void openPopup("login", demanded(to.next));
    case "trial":
      return openTrialNotice();
    case "page":
      return go(to.href);
    case "center":
      return go(`${to.path}?vassalage=${to.vassalage}`);
    case "list":
      return void openPopup("vendorGames", { vassalage: to.vassalage });
    case "maintenance":
      return void openPopup("gameMaintenance", { gameCode: to.gameCode });
    case "play":
      return go(`/play/${to.gameCode}`);
    default:
      to satisfies never;
  }
}
