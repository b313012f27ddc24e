import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { reload } from "@/lib/push/reload";
import { backOff } from "@/lib/push/socket";
import { meQuery } from "./api";
import { approvalsKey } from "./approvals/api";
import { affiliatesKey, feedbackKey } from "./inbox/api";
import { type LineFrame, type Part, readLine } from "./line-frames";

const pingEvery = 25_000;
/** The server's word for a session that is over. */
const sessionOver = 4401;

/** The lists that others change. */
const lists = ["approvals", "feedback", "affiliates"] as const;

const keys: Readonly<Record<Part, QueryKey>> = {
  me: meQuery.queryKey,
  approvals: approvalsKey,
  feedback: feedbackKey,
  affiliates: affiliatesKey,
};

/**
 * The page's one line to the server, for as long as somebody is in. What comes over it makes the page load again and
 * says no more; what is seen then is what one's rights allow.
 */
export class Line {
  #client: QueryClient;
  #url: string;
  #socket: WebSocket | null = null;
  #versions: Record<string, number> = {};
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(client: QueryClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  open(): void {
    if (this.#isClosed || this.#socket) return;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#send({ type: "hello", resume: this.#versions });
      this.#ping = setInterval(() => this.#send({ type: "ping" }), pingEvery);
    };
    socket.onmessage = ({ data }) => {
      const frame = typeof data === "string" ? readLine(data) : null;
      if (frame) this.#hear(frame);
    };
    socket.onclose = ({ code }) => this.#lost(code);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #lost(code: number): void {
    this.#socket = null;
    clearInterval(this.#ping);
    if (this.#isClosed) return;
    // Whether the session is over, the server is asked.
    if (code === sessionOver) this.#load("me");
    this.#retry = setTimeout(() => this.open(), backOff(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #hear(frame: LineFrame): void {
    if (frame.kind === "ready") {
      this.#attempt = 0;
      // What was loaded before the line stood may be old.
      const isNew = Object.keys(this.#versions).length === 0;
      this.#versions = frame.versions;
      if (isNew || frame.isGap) this.#load(...lists);
      return;
    }
    if (frame.kind === "gap") this.#load(...lists, "me");
    else {
      this.#versions[frame.topic] = frame.v;
      this.#load(...frame.loads);
    }
  }

  #load(...parts: readonly Part[]): void {
    for (const part of new Set(parts)) {
      reload(this.#client, keys[part]);
    }
  }
}

/** Keeps the line open while a person is in; it is keyed by who that is. */
export function KeepLine(): null {
  const client = useQueryClient();
  useEffect(() => {
    const url = new URL("/office/push", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const line = new Line(client, url.href);
    line.open();
    return () => line.close();
  }, [client]);
  return null;
}
