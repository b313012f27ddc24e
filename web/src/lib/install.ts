import { useSyncExternalStore } from "react";

/** What a browser offers when the site can be installed as an app. */
type InstallEvent = Event & {
  prompt: () => Promise<unknown>;
  userChoice: Promise<{ outcome: "accepted" | "dismissed" }>;
};

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function keep(event: InstallEvent | null): void {
  offered = event;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for the moment somebody asks for it. The browser makes it once, early. */
export function watchInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    keep(event as InstallEvent);
  });
  addEventListener("appinstalled", () => keep(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Installs the site as an app, where the browser offers it now; null where it does not. */
export function useInstall(): (() => Promise<boolean>) | null {
  const event = useSyncExternalStore(subscribe, () => offered);
  if (!event) return null;
  return async () => {
    // An offer can be taken once.
    keep(null);
    await event.prompt();
    return (await event.userChoice).outcome === "accepted";
  };
}
