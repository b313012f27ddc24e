import type { QueryClient } from "@tanstack/react-query";
import { forgetMember, memberQuery } from "@/features/auth/api";
import type { Site } from "@/features/auth/enter";
import { resumeForcedChange } from "@/features/auth/forced-change";
import { openComplete } from "@/features/auth/popups";
import { onSessionEnded, onToComplete } from "@/lib/api/client";
import { clearSession, onTokenChange, readToken } from "@/lib/api/token";
import { loadMessages, t } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { closeMembersPopups, openPopup, usePopups } from "@/lib/popup/popup";

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

/** What the page does when the server ended the session: offer the log-in, which says why as long as it is open. */
async function offerLogin(why?: keyof typeof ends): Promise<void> {
  if (!why && isLedOn()) return;
  const here = location.pathname;
  await loadPart(() => loadMessages());
  const refusal = t(why ? ends[why] : "session.lost");
  openPopup("login", { ...(!waysIn.test(here) && { next: here }), refusal });
}

/** Starts what runs beside the page: what any refusal may ask for, and the push socket. */
export function goLive(site: Site): void {
  const { client } = site;
  onSessionEnded(() => void offerLogin());
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
      void offerLogin(why);
    },
    onDenied: () => void client.invalidateQueries({ queryKey: memberQuery.queryKey }),
  }).start();
}
