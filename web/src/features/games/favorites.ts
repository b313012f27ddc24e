import { useQuery, useQueryClient } from "@tanstack/react-query";
import { demanded, openTrialNotice } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { errorText } from "@/lib/api/error-text";
import type { GameItem } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { toast } from "@/ui/toast";
import { favoriteIdsQuery, setFavorite } from "./api";
import { throttled } from "./throttle";

const once = throttled(1000);

/** Whether a game is a favorite, and the way to change that: shown at once, taken back if the server refuses. */
export function useFavorites(): {
  has: (game: GameItem) => boolean;
  toggle: (game: GameItem) => void;
} {
  const t = useT();
  const client = useQueryClient();
  const session = useSession();
  const { data: ids = [] } = useQuery({ ...favoriteIdsQuery, enabled: session.kind === "member" });
  const show = (nodeId: string, on: boolean) =>
    client.setQueryData(favoriteIdsQuery.queryKey, (old = []) => {
      const others = old.filter((id) => id !== nodeId);
      return on ? [nodeId, ...others] : others;
    });
  const change = async (game: GameItem, on: boolean) => {
    show(game.nodeId, on);
    try {
      await setFavorite(game, on);
    } catch (error) {
      show(game.nodeId, !on);
      toast(errorText(error, t), "bad");
    }
    await client.invalidateQueries({ queryKey: ["wallet", "favorites", "list"] });
  };
  return {
    has: (game) => ids.includes(game.nodeId),
    toggle: (game) => {
      if (session.kind === "visitor") {
        openPopup("login", demanded(location.pathname));
        return;
      }
      if (session.kind === "trial") return openTrialNotice();
      once(() => void change(game, !ids.includes(game.nodeId)));
    },
  };
}
