import type { QueryClient } from "@tanstack/react-query";
import { memberQuery } from "@/features/auth/api";
import { onTokenChange, readToken } from "@/lib/api/token";
import type { Announcement } from "@/lib/api/types";
import { currentLang } from "@/lib/i18n/i18n";
import { openPopup, usePopups } from "@/lib/popup/popup";
import { type Execution, popupsQuery } from "./api";
import { closedKey, executionsOf, forVisitors, noteInside } from "./announce-rules";

/** Pages on which nothing may come between a player and the game, or over the form of a log-in. */
const busyPages = /^\/(play|lottery|seaLottery|vnLottery|fbSports|login|register|agentHome)(\/|$)/;

/** Whether an announcement would disturb nothing: no game, no log-in, no other popup. */
function isFree(): boolean {
  return usePopups.getState().open.length === 0 && !busyPages.test(location.pathname);
}

/** Resolves as soon as nothing would be disturbed. */
function whenFree(onMove: (listener: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    if (isFree()) return resolve();
    const look = () => {
      if (!isFree()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const stops = [usePopups.subscribe(look), onMove(look)];
  });
}

async function fetchAll(client: QueryClient, wanted: readonly Execution[]) {
  const lists = await Promise.all(
    wanted.map((execution) => client.fetchQuery(popupsQuery(execution, currentLang()))),
  );
  const all = new Map<string, Announcement>();
  for (const [index, list] of lists.entries()) {
    for (const item of list) if (item.execution === wanted[index]) all.set(item.id, item);
  }
  return [...all.values()];
}

/**
 * Opens what the house has to announce, once per session: to visitors what comes before a log-in, to members what
 * concerns them, and the first time what newcomers should know. `wasInsideBefore` is whether somebody was logged in when
 * the page began.
 */
export function announce(
  client: QueryClient,
  onMove: (listener: () => void) => () => void,
  wasInsideBefore = false,
): () => void {
  // Who has just left is not new here, not even who has left before this was there to see it.
  let wasInside = wasInsideBefore || readToken() !== null;
  const tell = async () => {
    const token = readToken();
    if (token !== null) noteInside();
    else if (wasInside) return;
    const key = closedKey(token !== null);
    if (sessionStorage.getItem(key) !== null) return;
    // A member may have something to do first: change a password, complete the registration.
    if (token !== null) await client.fetchQuery(memberQuery);
    const all = await fetchAll(client, executionsOf(token !== null, sessionStorage));
    const items = token === null ? forVisitors(all) : all;
    if (items.length === 0) return;
    // Where one popup leads to another, the one is closed a moment before the other opens.
    while (!isFree()) await whenFree(onMove);
    const isStillWanted = readToken() === token && sessionStorage.getItem(key) === null;
    if (!isStillWanted) return;
    openPopup("announcements", { items }, () => {
      if (readToken() === token) sessionStorage.setItem(key, "closed");
    });
  };
  // What cannot be fetched is not missed: it is asked for again with the next session.
  const tellQuietly = () => void tell().catch(() => undefined);
  tellQuietly();
  return onTokenChange((token) => {
    wasInside ||= token !== null;
    tellQuietly();
  });
}
