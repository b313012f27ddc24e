import { useRouter } from "@tanstack/react-router";
import { openLogin, openTrialNotice } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { getBoot } from "@/lib/boot/boot";
import { openPopup } from "@/lib/popup/popup";
import { type Launchable, destinationOf } from "./launch";

/** Starts whatever somebody chose, by the rules of launch. Every tile uses this. */
export function useLaunch(): (item: Launchable) => void {
  const session = useSession();
  const router = useRouter();
  return (item) => {
    const to = destinationOf(item, session.kind, getBoot().centers);
    switch (to.kind) {
      case "login":
        return openLogin(to.next);
      case "trial":
        return openTrialNotice();
      case "page":
        return router.history.push(to.href);
      case "center":
        return router.history.push(`${to.path}?vassalage=${to.vassalage}`);
      case "list":
        return void openPopup("vendorGames", { vassalage: to.vassalage });
      case "maintenance":
        return void openPopup("gameMaintenance", { gameCode: to.gameCode });
      case "play":
        return router.history.push(`/play/${to.gameCode}`);
      default:
        to satisfies never;
    }
  };
}
