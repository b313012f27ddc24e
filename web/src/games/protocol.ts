import type { Balance, Launch, Round } from "@/lib/api/types";

/** What parent page and game frame say to each other. The frame never sees the token. */
export type Theme = "dark" | "light";
export type Choice = Round["choice"];

/** The window message that carries the port; everything else travels on the port. */
export const PORT_MESSAGE = "capiz.port";

export type InitMessage = {
  type: "init";
  game: string;
  /** BCP-47 tag, for `Intl` and the `lang` attribute. */
  lang: string;
  theme: Theme;
  currency: string;
  balance: Balance;
  limits: Launch["limits"];
  sound: boolean;
  messages: Readonly<Record<string, string>>;
};

export type ToFrame =
  | InitMessage
  | { type: "book"; requestId: string; round: Round }
  | { type: "refused"; requestId: string; code: string; text: string }
  | { type: "balance"; balance: Balance }
  | { type: "theme"; theme: Theme }
  | { type: "sound"; on: boolean };

export type FromFrame =
  | { type: "ready" }
  | { type: "round.start"; requestId: string; stake: string; choice: Choice }
  | { type: "round.shown"; requestId: string };

type Loose = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 64;
}

function isChoice(value: unknown): value is Choice {
  return (
    isObject(value) &&
    Number.isInteger(value["target"]) &&
    (value["direction"] === "under" || value["direction"] === "over")
  );
}

/** A message of the frame when it has a known shape; the parent trusts nothing else about it. */
export function readFromFrame(data: unknown): FromFrame | null {
  if (!isObject(data)) return null;
  const { type, requestId, stake, choice } = data;
  switch (type) {
    case "ready":
      return { type };
    case "round.start":
      if (!isShortText(requestId) || !isShortText(stake) || !isChoice(choice)) return null;
      return {
        type,
        requestId,
        stake,
        choice: { target: choice.target, direction: choice.direction },
      };
    case "round.shown":
      return isShortText(requestId) ? { type, requestId } : null;
    default:
      return null;
  }
}

/** True for the window message that hands over the port. */
export function isPortMessage(data: unknown): boolean {
  return isObject(data) && data["type"] === PORT_MESSAGE;
}

const toFrameTypes = new Set(["init", "book", "refused", "balance", "theme", "sound"]);

/** A message of the parent. It comes from our own page, so only its type is checked. */
export function readToFrame(data: unknown): ToFrame | null {
  return isObject(data) && toFrameTypes.has(String(data["type"])) ? (data as ToFrame) : null;
}
