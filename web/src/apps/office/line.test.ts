// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { meQuery } from "./api";
import { approvalsKey } from "./approvals/api";
import { affiliatesKey, feedbackKey } from "./inbox/api";
import { Line } from "./line";
import { readLine } from "./line-frames";

const sockets: FakeSocket[] = [];

class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    sockets.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  hear(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  close(): void {}
}

const last = () => sockets.at(-1) as FakeSocket;
const ready = (topics: object, gaps: string[] = []) => ({
  v: 1,
  topic: "control",
  event: { type: "ready", topics, gaps },
});

let client: QueryClient;
let line: Line;
const isStale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  sockets.length = 0;
  client = new QueryClient();
  client.setQueryData(meQuery.queryKey, null);
  client.setQueryData([...approvalsKey, "count"], { others: 0, own: 0 });
  line = new Line(client, "ws://office/office/push");
  line.open();
  last().onopen?.();
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the office's line", () => {
  it("loads the requests again when it stands, and when one of them changes", () => {
    last().hear(ready({ office: 4, staff: 4 }));
    expect(isStale([...approvalsKey, "count"])).toBe(true);
    client.setQueryData([...approvalsKey, "count"], { others: 1, own: 0 });
    last().hear({ v: 5, topic: "office", events: [{ type: "approval", id: "1" }] });
    expect(isStale([...approvalsKey, "count"])).toBe(true);
    expect(isStale(meQuery.queryKey)).toBe(false);
    last().hear({ v: 6, topic: "staff", events: [{ type: "rights" }] });
    expect(isStale(meQuery.queryKey)).toBe(true);
  });

  it("loads what is written to the house again, each list for itself", () => {
    last().hear(ready({ office: 4, staff: 4 }));
    client.setQueryData(feedbackKey, []);
    client.setQueryData(affiliatesKey, []);
    last().hear({ v: 5, topic: "office", events: [{ type: "feedback" }] });
    expect(isStale(feedbackKey)).toBe(true);
    expect(isStale(affiliatesKey)).toBe(false);
    last().hear({ v: 6, topic: "office", events: [{ type: "affiliate" }] });
    expect(isStale(affiliatesKey)).toBe(true);
  });

  it("comes back where it was, and loads nothing it has not missed", () => {
    last().hear(ready({ office: 4, staff: 4 }));
    last().hear({ v: 7, topic: "office", events: [{ type: "approval" }] });
    client.setQueryData([...approvalsKey, "count"], { others: 1, own: 0 });
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(2_000);
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    expect(last().sent).toEqual([{ type: "hello", resume: { office: 7, staff: 4 } }]);
    last().hear(ready({ office: 7, staff: 4 }));
    expect(isStale([...approvalsKey, "count"])).toBe(false);
    last().hear(ready({ office: 9, staff: 4 }, ["office"]));
    expect(isStale([...approvalsKey, "count"])).toBe(true);
  });

  it("asks whether the session is over when the server says so", () => {
    last().onclose?.({ code: 4401 });
    expect(isStale(meQuery.queryKey)).toBe(true);
  });

  it("stays closed once nobody is in", () => {
    line.close();
    last().onclose?.({ code: 1000 });
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});

describe("readLine", () => {
  it.each(["", "[]", "null", `{"topic":"office"}`, `{"topic":"control","event":{"type":"pong"}}`])(
    "makes nothing of %j",
    (text) => expect(readLine(text)).toBeNull(),
  );
  it("passes over events that it does not know", () => {
    const text = JSON.stringify({ v: 3, topic: "office", events: [{ type: "tea" }, 5] });
    expect(readLine(text)).toEqual({ kind: "events", topic: "office", v: 3, loads: [] });
  });
});
