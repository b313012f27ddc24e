/** What of the page a window at its side needs. */
export type Page = Pick<Window, "open" | "addEventListener" | "removeEventListener" | "origin">;

export type SideEvents<T> = {
  /** The browser did not open the window. */
  onBlocked: () => void;
  /** The window is gone, or another site has cut the tie to it; its last word may still come in the latter case. */
  onClosed: () => void;
  onTold: (told: T) => void;
};

const look = 400;

/**
 * Opens a window that visits another site, and listens for what it ends with. `read` picks what is meant for us; its
 * first find ends the listening. Returns how to stop listening.
 */
export function openSideWindow<T>(
  { address, name }: { address: string; name: string },
  read: (data: unknown) => T | null,
  events: SideEvents<T>,
  page: Page = globalThis.window,
): () => void {
  const opened = page.open(address, name, "popup,width=480,height=680");
  if (!opened) {
    events.onBlocked();
    return () => undefined;
  }
  // Where the window has lost its opener, it speaks to all pages of the site in this browser.
  const channel = new BroadcastChannel(name);
  let closedFor = 0;
  // A window says nothing when it is closed: one has to look. Its last word may still be on the way.
  const watch = setInterval(() => {
    closedFor = opened.closed ? closedFor + 1 : 0;
    if (closedFor === 2) events.onClosed();
  }, look);
  const take = (data: unknown) => {
    const told = read(data);
    if (told === null) return;
    stop();
    events.onTold(told);
  };
  const listen = ({ origin, source, data }: MessageEvent) => {
    if (origin === page.origin && source === opened) take(data);
  };
  const stop = () => {
    clearInterval(watch);
    page.removeEventListener("message", listen);
    channel.close();
  };
  page.addEventListener("message", listen);
  channel.addEventListener("message", ({ data }: MessageEvent) => take(data));
  return stop;
}
