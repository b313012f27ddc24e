import type { Balance } from "@/lib/api/types";
import {
  type Action,
  type Choice,
  type FromFrame,
  type GameRound,
  type InitMessage,
  type Theme,
  type ToFrame,
  readToFrame,
} from "../protocol";

/** How a request ended: with a book to show, or with a reason in words. */
export type Outcome =
  | { kind: "book"; requestId: string; round: GameRound }
  | { kind: "refused"; code: string; text: string };

/** What the table does when the parent tells it something between rounds. */
export type Listeners = {
  balance: (balance: Balance) => void;
  jackpot: (amount: string) => void;
  resume: (round: GameRound | null) => void;
  replay: (round: GameRound) => void;
  theme: (theme: Theme) => void;
  sound: (on: boolean) => void;
};

/** The game's only way out of its frame. */
export class Link {
  private readonly waiting = new Map<string, (outcome: Outcome) => void>();
  private listeners: Listeners | null = null;

  constructor(
    private readonly port: MessagePort,
    onInit: (init: InitMessage) => void,
  ) {
    port.onmessage = ({ data }: MessageEvent) => {
      const message = readToFrame(data);
      if (message?.type === "init") onInit(message);
      else if (message) this.take(message);
    };
  }

  listen(listeners: Listeners): void {
    this.listeners = listeners;
  }

  ready(): void {
    this.send({ type: "ready" });
  }

  /** How tall the game wants to be: the page gives it that height where it can. */
  size(height: number): void {
    this.send({ type: "size", height });
  }

  /** Asks for a round. The parent calls the server and answers once. */
  play(stake: string, choice: Choice): Promise<Outcome> {
    return this.ask((requestId) => ({ type: "round.start", requestId, stake, choice }));
  }

  /** Does the next step of an open round. */
  act({ id, actions }: GameRound, action: Action): Promise<Outcome> {
    const step = actions.length;
    return this.ask((requestId) => ({ type: "round.act", requestId, roundId: id, step, action }));
  }

  /** The result was seen: the parent may show the new balance. */
  shown(requestId: string): void {
    this.send({ type: "round.shown", requestId });
  }

  private ask(message: (requestId: string) => FromFrame): Promise<Outcome> {
    const requestId = newRequestId();
    return new Promise((resolve) => {
      this.waiting.set(requestId, resolve);
      this.send(message(requestId));
    });
  }

  private send(message: FromFrame): void {
    this.port.postMessage(message);
  }

  private take(message: Exclude<ToFrame, InitMessage>): void {
    switch (message.type) {
      case "book": {
        const { requestId, round } = message;
        return this.settle(requestId, { kind: "book", requestId, round });
      }
      case "refused": {
        const { requestId, code, text } = message;
        return this.settle(requestId, { kind: "refused", code, text });
      }
      case "balance":
        return this.listeners?.balance(message.balance);
      case "jackpot":
        return this.listeners?.jackpot(message.amount);
      case "resume":
        return this.listeners?.resume(message.round);
      case "replay":
        return this.listeners?.replay(message.round);
      case "theme":
        return this.listeners?.theme(message.theme);
      case "sound":
        return this.listeners?.sound(message.on);
      default:
        message satisfies never;
    }
  }

  private settle(requestId: string, outcome: Outcome): void {
    this.waiting.get(requestId)?.(outcome);
    this.waiting.delete(requestId);
  }
}

/** `randomUUID` needs a secure context, which a sandboxed frame may not be. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
