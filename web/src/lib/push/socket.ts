import type { QueryClient } from "@tanstack/react-query";
import { onTokenChange, readToken } from "@/lib/api/token";
import { applyPush, reloadTopics } from "./apply";
import {
  type ControlEvent,
  type EndReason,
  type PushEvent,
  type Topic,
  type Versions,
  readFrame,
} from "./frames";

const firstWait = 500;
const longestWait = 30_000;
const pingEvery = 25_000;
/** No frame for this long, pongs included: the line is dead although the socket does not say so. */
const silenceLimit = 60_000;

/** How long to wait before the n-th attempt: doubling, with full jitter, so that clients do not return at once. */
export function backOff(attempt: number, random: number): number {
  const ceiling = Math.min(longestWait, firstWait * 2 ** attempt);
  return Math.round(firstWait / 2 + random * ceiling);
}

type PushOptions = {
  url: string;
  onSessionEnded: (why?: EndReason) => void;
  /** The server does not take the token on this line; whether the session is over, the API knows. */
  onDenied: () => void;
};

/** The page's one socket: reconnects by itself, resumes by version, and feeds the query cache. */
export class PushSocket {
  #client: QueryClient;
  #options: PushOptions;
  #socket: WebSocket | null = null;
  #versions: Versions = {};
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #stopped = false;
  #stopListening: () => void;

  constructor(client: QueryClient, options: PushOptions) {
    this.#client = client;
    this.#options = options;
    this.#stopListening = onTokenChange((token) => this.#bind(token));
    addEventListener("online", this.#hurry);
  }

  start(): void {
    if (this.#stopped || this.#socket) return;
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (message) => this.#receive(message.data);
    socket.onclose = () => this.#lost();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    removeEventListener("online", this.#hurry);
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  #hurry = (): void => {
    clearTimeout(this.#retry);
    this.start();
  };

  #send(frame: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #hello(): void {
    this.#heardAt = Date.now();
    const known = Object.keys(this.#versions).length > 0;
    this.#send({ type: "hello", token: readToken(), ...(known && { resume: this.#versions }) });
    this.#ping = setInterval(() => this.#checkLine(), pingEvery);
  }

  #bind(token: string | null): void {
    delete this.#versions.member;
    if (token === null) this.#send({ type: "auth", token });
    else this.#reopen();
  }

  /** A login is tied to a cookie that only a new handshake carries. */
  #reopen(): void {
    const old = this.#socket;
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
    this.#socket = null;
    clearInterval(this.#ping);
    this.#hurry();
  }

  #checkLine(): void {
    if (Date.now() - this.#heardAt > silenceLimit) this.#socket?.close();
    else this.#send({ type: "ping" });
  }

  #lost(): void {
    this.#socket = null;
    clearInterval(this.#ping);
    if (this.#stopped) return;
    this.#retry = setTimeout(() => this.start(), backOff(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #receive(data: unknown): void {
    this.#heardAt = Date.now();
    const frame = typeof data === "string" ? readFrame(data) : null;
    if (!frame) return;
    if (frame.kind === "control") this.#control(frame.event);
    else {
      this.#versions[frame.topic] = frame.v;
      for (const event of frame.events) this.#apply(event);
    }
  }

  #apply(event: PushEvent): void {
    applyPush(this.#client, event);
    if (event.type === "session_ended") this.#options.onSessionEnded(event.why);
  }

  #control(event: ControlEvent): void {
    if (event.type === "ready") this.#ready(event.topics, event.gaps);
    if (event.type === "gap") reloadTopics(this.#client, event.topics);
    if (event.type === "denied") this.#options.onDenied();
  }

  #ready(topics: Versions, gaps: readonly Topic[]): void {
    this.#attempt = 0;
    // What was loaded before the line stood may already be old: a topic heard for the first time counts as a gap.
    const first = (Object.keys(topics) as Topic[]).filter(
      (topic) => this.#versions[topic] === undefined,
    );
    this.#versions = { ...this.#versions, ...topics };
    reloadTopics(this.#client, [...new Set([...gaps, ...first])]);
  }
}
