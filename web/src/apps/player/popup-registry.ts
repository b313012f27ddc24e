import type { QueryClient } from "@tanstack/react-query";
import { authPopups, demanded, trialNotice } from "@/features/auth/popups";
import { memberQuery } from "@/features/auth/api";
import { contentPopups } from "@/features/content/popups";
import { gamesPopups } from "@/features/games/popups";
import { inboxPopups } from "@/features/inbox/popups";
import { securityPopups } from "@/features/security/popups";
import { hostPopups } from "@/games/host/popups";
import { readToken } from "@/lib/api/token";
import { type PopupRegistry, setUpPopups } from "@/lib/popup/popup";
import { shellPopups } from "./shell/popups";

/** Every popup of the player site. A popup without entry or guard does not compile. */
const registry: PopupRegistry = {
  ...authPopups,
  ...securityPopups,
  ...gamesPopups,
  ...hostPopups,
  ...contentPopups,
  ...inboxPopups,
  ...shellPopups,
  confirm: { load: () => import("@/ui/confirm-popup"), needs: "anyone", stack: "over" },
  notice: { load: () => import("@/ui/notice-popup"), needs: "anyone", stack: "over" },
};

/** The one place where it is decided who may open what. */
export function setUpPlayerPopups(client: QueryClient): void {
  setUpPopups(registry, (needs) => {
    if (needs === "anyone") return null;
    if (readToken() === null) return { name: "login", props: demanded() };
    const trial = client.getQueryData(memberQuery.queryKey)?.isTrial === true;
    return needs === "member" && trial ? { name: "notice", props: trialNotice } : null;
  });
}
