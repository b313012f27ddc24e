import type { Balance, Round } from "@/lib/api/types";
import {
  type Choice,
  type FromFrame,
  type InitMessage,
  type Theme,
  readToFrame,
} from "../protocol";

/** How a request for a round ended: with a book to show, or with a reason in words. */
export type Outcome =
  | { kind: "book"; requestId: string; round: Round }
  | { kind: "refused"; code: string; text: string };

/** What the game does when the parent tells it something between rounds. */
export type Listeners = {
  balance: (balance: Balance) => void;
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

  /** Asks for a round. The parent calls the server and answers once. */
  play(stake: string, choice: Choice): Promise<Outcome> {
    const requestId = newRequestId();
    return new Promise((resolve) => {
      this.waiting.set(requestId, resolve);
      this.send({ type: "round.start", requestId, stake, choice });
    });
  }

  /** The result was seen: the parent may show the new balance. */
  shown(requestId: string): void {
    this.send({ type: "round.shown", requestId });
  }

  private send(message: FromFrame): void {
    this.port.postMessage(message);
  }

  private take(message: Exclude<ReturnType<typeof readToFrame>, InitMessage | null>): void {
    switch (message.type) {
      case "book":
        return this.settle(message.requestId, {
          kind: "book",
          requestId: message.requestId,
          round: message.round,
        });
      case "refused":
        return this.settle(message.requestId, {
          kind: "refused",
          code: message.code,
          text: message.text,
        });
      case "balance":
        return this.listeners?.balance(message.balance);
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
