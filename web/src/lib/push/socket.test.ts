// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, storeToken } from "@/lib/api/token";
import { pushed } from "./keys";
import { PushSocket } from "./socket";

class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  control(event: unknown): void {
    this.onmessage?.({ data: JSON.stringify({ v: 1, topic: "control", event }) });
  }
  say(topic: string, events: unknown[], v = 1): void {
    this.onmessage?.({ data: JSON.stringify({ v, topic, events }) });
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

let client: QueryClient;
let push: PushSocket;
const ended = vi.fn<() => void>();
const denied = vi.fn<() => void>();
const newest = () => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  sessionStorage.clear();
  client = new QueryClient();
  ended.mockClear();
  denied.mockClear();
  push = new PushSocket(client, {
    url: "ws://site/wps/push",
    onSessionEnded: ended,
    onDenied: denied,
  });
  push.start();
  newest().open();
});
afterEach(() => {
  push.stop();
  vi.useRealTimers();
});

describe("the push socket", () => {
  it("says hello, and resumes by version after a loss", () => {
    expect(newest().sent).toEqual([{ type: "hello", token: null }]);
    newest().control({ type: "ready", topics: { site: 5, winners: 9 }, gaps: [] });
    client.setQueryData(pushed.boot, {});
    newest().say("site", [{ type: "settings" }], 6);
    expect(client.getQueryState(pushed.boot)?.isInvalidated).toBe(true);
    newest().close();
    vi.advanceTimersByTime(2000);
    expect(FakeSocket.all).toHaveLength(2);
    newest().open();
    expect(newest().sent).toEqual([
      { type: "hello", token: null, resume: { site: 6, winners: 9 } },
    ]);
  });

  it("takes every event of a frame, in order, and its version once", () => {
    const entry = (customerName: string) => ({
      customerName,
      gameName: "Dice",
      gameCode: "dice",
      winAmount: "20",
      currency: "PHP",
      at: "2026-11-15T12:00:00Z",
    });
    newest().control({ type: "ready", topics: { winners: 9 }, gaps: [] });
    client.setQueryData(pushed.winners, []);
    const winners = ["first", "second"].map((name) => ({ type: "winner", entry: entry(name) }));
    newest().say("winners", winners, 10);
    expect(client.getQueryData(pushed.winners)).toEqual([entry("second"), entry("first")]);
    newest().close();
    vi.advanceTimersByTime(2000);
    newest().open();
    expect(newest().sent).toEqual([{ type: "hello", token: null, resume: { winners: 10 } }]);
  });

  it("reloads what a gap names, and what it hears of for the first time", () => {
    client.setQueryData(pushed.winners, []);
    newest().control({ type: "ready", topics: { site: 5, winners: 9 }, gaps: [] });
    expect(client.getQueryState(pushed.winners)?.isInvalidated).toBe(true);
    client.setQueryData(pushed.winners, []);
    newest().control({ type: "ready", topics: { site: 5, winners: 9 }, gaps: [] });
    expect(client.getQueryState(pushed.winners)?.isInvalidated).toBe(false);
    newest().control({ type: "gap", topics: ["winners"] });
    expect(client.getQueryState(pushed.winners)?.isInvalidated).toBe(true);
  });

  it("opens a new line after a login, and re-binds the same one after a logout", () => {
    storeToken("T");
    expect(FakeSocket.all).toHaveLength(2);
    newest().open();
    expect(newest().sent).toEqual([{ type: "hello", token: "T" }]);
    clearSession();
    expect(FakeSocket.all).toHaveLength(2);
    expect(newest().sent.at(-1)).toEqual({ type: "auth", token: null });
  });

  it("tells an ended session from a refused token", () => {
    newest().control({ type: "denied", code: "session.required" });
    expect(denied).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
    newest().say("member", [{ type: "session_ended" }]);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("comes back as a visitor, once, when the server ends the session's line", () => {
    storeToken("token");
    newest().open();
    newest().control({ type: "ready", topics: { site: 1, member: 2 }, gaps: [] });
    const before = FakeSocket.all.length;
    ended.mockImplementationOnce(clearSession);
    newest().say("member", [{ type: "session_ended" }]);
    newest().control({ type: "denied", code: "session.required" });
    newest().close();
    vi.advanceTimersByTime(2_000);
    newest().open();
    expect(newest().sent).toEqual([{ type: "hello", token: null, resume: { site: 1 } }]);
    newest().control({ type: "ready", topics: { site: 1 }, gaps: [] });
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all).toHaveLength(before + 1);
  });

  it("gives a silent line up", () => {
    vi.advanceTimersByTime(25_000);
    expect(newest().sent.at(-1)).toEqual({ type: "ping" });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });
});
