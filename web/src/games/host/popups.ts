import type { PopupEntry } from "@/lib/popup/popup";

declare module "@/lib/popup/popup" {
  interface Popups {
    miniGame: Record<never, never>;
  }
}

/** The quick games over any page; a visitor logs in first. */
export const hostPopups: { miniGame: PopupEntry<"miniGame"> } = {
  miniGame: {
    load: () => import("./mini-game-popup"),
    needs: "session",
    stack: "page",
    messages: ["games", "catalogue"],
  },
};
