import { ApiError, type FailureCode } from "@/lib/api/error";
import { type Page, openSideWindow } from "@/lib/side-window";

type Outcome = { ticket: string } | { error: FailureCode };

function readOutcome(data: unknown): Outcome | null {
  if (typeof data !== "object" || data === null) return null;
  const { ticket, error } = data as Record<string, unknown>;
  return typeof ticket === "string" || typeof error === "string" ? (data as Outcome) : null;
}

export type SocialEvents = {
  onBlocked: () => void;
  /** A ticket may still come. */
  onClosed: () => void;
  onTicket: (ticket: string) => void;
  onRefused: (error: ApiError) => void;
};

/** Opens the provider's window and listens for what it ends with. Returns how to stop listening. */
export function startSocial(
  provider: string,
  { onBlocked, onClosed, onTicket, onRefused }: SocialEvents,
  page?: Page,
): () => void {
  const address = `/wps/session/social/${encodeURIComponent(provider)}/start`;
  const onTold = (outcome: Outcome) => {
    if ("ticket" in outcome) onTicket(outcome.ticket);
    else onRefused(new ApiError(0, outcome.error, "The provider refused"));
  };
  const events = { onBlocked, onClosed, onTold };
  return openSideWindow({ address, name: "capiz-social" }, readOutcome, events, page);
}
