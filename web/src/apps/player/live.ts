import type { QueryClient } from "@tanstack/react-query";
import { forgetMember, memberQuery } from "@/features/auth/api";
import type { Site } from "@/features/auth/enter";
import { resumeForcedChange } from "@/features/auth/forced-change";
import { openComplete, openLogin } from "@/features/auth/popups";
import { onSessionEnded, onToComplete } from "@/lib/api/client";
import { clearSession, onTokenChange, readToken } from "@/lib/api/token";
import { loadMessages, t } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { closeMembersPopups, usePopups } from "@/lib/popup/popup";
import { toast } from "@/ui/toast";

const ends = {
  "member.frozen": "error.member_frozen",
  "member.closed": "error.member_closed",
} as const;

/** Addresses that are ways in themselves. */
const waysIn = /^\/(login|register)(\/|$)/;

/** Whoever sets a new password ends every session, this one too, and is led on from there. */
function isLedOn(): boolean {
  return usePopups.getState().open.some(({ name }) => name === "forgot" || name === "login");
}

/** What the page does when the server ended the session: forget it, say so, offer the login. */
function offerLogin(why?: keyof typeof ends): void {
  if (!why && isLedOn()) return;
  toast(t(why ? ends[why] : "error.session_required"), "info");
  const here = location.pathname;
  openLogin(waysIn.test(here) ? undefined : here);
}

/** Starts what runs beside the page: what any refusal may ask for, and the push socket. */
export function goLive(site: Site): void {
  const { client } = site;
  onSessionEnded(() => offerLogin());
  onToComplete(openComplete);
  onTokenChange((token) => {
    if (token !== null) return;
    forgetMember(client);
    // Whoever logs in next must not find what somebody else has left open, and typed into it.
    closeMembersPopups();
  });
  resumeForcedChange(site);
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  idle(() => {
    void connect(client);
    // Something may fail later, perhaps because the line is gone: the sentences for it are there by then.
    void loadMessages().catch(() => undefined);
  });
}

async function connect(client: QueryClient): Promise<void> {
  const { PushSocket } = await loadPart(() => import("@/lib/push/socket"));
  const url = new URL("/wps/push", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  new PushSocket(client, {
    url: url.href,
    onSessionEnded: (why) => {
      if (readToken() === null) return;
      clearSession();
      offerLogin(why);
    },
    onDenied: () => void client.invalidateQueries({ queryKey: memberQuery.queryKey }),
  }).start();
}
