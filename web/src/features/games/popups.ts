import type { PopupEntry } from "@/lib/popup/popup";

declare module "@/lib/popup/popup" {
  interface Popups {
    /** The games of one provider. */
    vendorGames: { vassalage: string };
    /** A game that cannot be started now, and others that can. */
    gameMaintenance: { gameCode: string };
  }
}

type Names = "vendorGames" | "gameMaintenance";

export const gamesPopups: { [K in Names]: PopupEntry<K> } = {
  vendorGames: {
    load: () => import("./components/vendor-games-popup"),
    needs: "session",
    stack: "over",
    messages: ["catalogue"],
  },
  gameMaintenance: {
    load: () => import("./components/maintenance-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["catalogue"],
  },
};
