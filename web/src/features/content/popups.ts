import type { Announcement } from "@/lib/api/types";
import type { PopupEntry } from "@/lib/popup/popup";

declare module "@/lib/popup/popup" {
  interface Popups {
    /** What the house tells whoever comes; it opens by itself. */
    announcements: { items: readonly Announcement[] };
    /** The notices; `id` is the one that is open at first. */
    notices: { id?: string };
    publicAnnouncement: Record<never, never>;
    /** The help center; `article` is the slug of the one to show. */
    help: { article?: string };
  }
}

type Names = "announcements" | "notices" | "publicAnnouncement" | "help";

export const contentPopups: { [K in Names]: PopupEntry<K> } = {
  announcements: {
    load: () => import("./components/announcements-popup"),
    needs: "anyone",
    stack: "page",
    messages: ["content"],
  },
  notices: {
    load: () => import("./components/notices-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["content"],
  },
  publicAnnouncement: {
    load: () => import("./components/public-announcement-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["content"],
  },
  help: {
    load: () => import("./components/help-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["content"],
  },
};
