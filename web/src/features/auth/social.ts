import { ApiError, type FailureCode } from "@/lib/api/error";

type Outcome = { ticket: string } | { error: FailureCode };

function isOutcome(data: unknown): data is Outcome {
  if (typeof data !== "object" || data === null) return false;
  const { ticket, error } = data as Record<string, unknown>;
  return typeof ticket === "string" || typeof error === "string";
}

/** What of the page a sign-in needs. */
export type Page = Pick<Window, "open" | "addEventListener" | "removeEventListener" | "origin">;

export type SocialEvents = {
  /** The browser did not open the window. */
  onBlocked: () => void;
  /** The window is gone, or a provider has cut the tie to it; a ticket may still come in the latter case. */
  onClosed: () => void;
  onTicket: (ticket: string) => void;
  onRefused: (error: ApiError) => void;
};

const look = 400;

/** Opens the provider's window and listens for what it ends with. Returns how to stop listening. */
export function startSocial(
  provider: string,
  events: SocialEvents,
  page: Page = globalThis.window,
): () => void {
  const path = `/wps/session/social/${encodeURIComponent(provider)}/start`;
  const opened = page.open(path, "capiz-social", "popup,width=480,height=680");
  if (!opened) {
    events.onBlocked();
    return () => undefined;
  }
  // Where the window has lost its opener, it speaks to all pages of the site in this browser.
  const channel = new BroadcastChannel("capiz-social");
  let closedFor = 0;
  // A window says nothing when it is closed: one has to look. Its last word may still be on the way.
  const watch = setInterval(() => {
    closedFor = opened.closed ? closedFor + 1 : 0;
    if (closedFor === 2) events.onClosed();
  }, look);
  const take = (data: unknown) => {
    if (!isOutcome(data)) return;
    stop();
    if ("ticket" in data) events.onTicket(data.ticket);
    else events.onRefused(new ApiError(0, data.error, "The provider refused"));
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
