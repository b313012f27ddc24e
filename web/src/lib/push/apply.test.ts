// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { WinnerEntry } from "@/lib/api/types";
import { applyPush, newerBalance, reloadTopics, withWinner } from "./apply";
import { readFrame } from "./frames";
import { pushed, winnersShown } from "./keys";
import { backOff } from "./socket";

const balance = (version: number, amount: string, currency = "PHP") => ({
  currency,
  balance: amount,
  version,
});
const winner = (name: string, at = "2026-11-15T12:00:00Z"): WinnerEntry => ({
  customerName: name,
  gameName: "Dice",
  gameCode: "dice",
  winAmount: "20",
  currency: "PHP",
  at,
});

describe("newerBalance", () => {
  it("never lets an older version win", () => {
    expect(newerBalance(balance(5, "10"), balance(4, "99"))).toEqual(balance(5, "10"));
    expect(newerBalance(balance(5, "10"), balance(5, "99"))).toEqual(balance(5, "10"));
    expect(newerBalance(balance(5, "10"), balance(6, "99"))).toEqual(balance(6, "99"));
    expect(newerBalance(undefined, balance(1, "1"))).toEqual(balance(1, "1"));
  });
  it("takes another currency whatever its version: it is another account", () => {
    expect(newerBalance(balance(5, "10", "FUN"), balance(1, "99"))).toEqual(balance(1, "99"));
  });
});

describe("withWinner", () => {
  it("prepends, drops repeats and keeps the board's length", () => {
    const full = Array.from({ length: winnersShown }, (_, n) => winner(`p${n}`));
    expect(withWinner(full, winner("new"))).toHaveLength(winnersShown);
    expect(withWinner(full, winner("new"))[0]?.customerName).toBe("new");
    expect(withWinner(full, winner("p3"))).toEqual(full);
  });
});

describe("applyPush", () => {
  it("writes into the cache", () => {
    const client = new QueryClient();
    applyPush(client, { topic: "member", type: "balance", balance: balance(2, "7") });
    expect(client.getQueryData(pushed.balance)).toEqual(balance(2, "7"));
  });
  it("loads the member's messages and application again when somebody of the house has answered", () => {
    const client = new QueryClient();
    client.setQueryData(pushed.feedback, []);
    client.setQueryData(pushed.application, null);
    const stale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
    applyPush(client, { topic: "member", type: "feedback" });
    expect([stale(pushed.feedback), stale(pushed.application)]).toEqual([true, false]);
    applyPush(client, { topic: "member", type: "affiliate" });
    expect(stale(pushed.application)).toBe(true);
  });
  it("loads everything of the site again when settings have changed, and once more when all nodes know", () => {
    vi.useFakeTimers();
    const client = new QueryClient();
    client.setQueryData(pushed.boot, {});
    client.setQueryData(["site", "register-rules"], {});
    client.setQueryData(pushed.winners, []);
    const stale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
    applyPush(client, { topic: "site", type: "settings" });
    expect([stale(pushed.boot), stale(["site", "register-rules"]), stale(pushed.winners)]).toEqual([
      true,
      true,
      false,
    ]);
    client.setQueryData(pushed.boot, {});
    expect(stale(pushed.boot)).toBe(false);
    vi.advanceTimersByTime(1_500);
    expect(stale(pushed.boot)).toBe(true);
    vi.useRealTimers();
  });
  it("loads a board again that was being loaded when somebody won", async () => {
    const client = new QueryClient();
    let told = [winner("old")];
    const load = vi.fn<() => Promise<WinnerEntry[]>>(() => Promise.resolve(told));
    const observer = new QueryObserver(client, { queryKey: pushed.winners, queryFn: load });
    const stop = observer.subscribe(() => undefined);
    applyPush(client, { topic: "winners", type: "winner", entry: winner("new") });
    told = [winner("new"), winner("old")];
    await vi.waitFor(() => expect(client.getQueryData(pushed.winners)).toEqual(told));
    stop();
  });
  it("leaves a board alone that was not loaded yet", () => {
    const client = new QueryClient();
    applyPush(client, { topic: "winners", type: "winner", entry: winner("a") });
    expect(client.getQueryData(pushed.winners)).toBeUndefined();
  });
});

describe("reloadTopics", () => {
  it("invalidates what the topic feeds and nothing else", () => {
    const client = new QueryClient();
    client.setQueryData(pushed.balance, balance(1, "1"));
    client.setQueryData(pushed.winners, []);
    reloadTopics(client, ["winners"]);
    expect(client.getQueryState(pushed.winners)?.isInvalidated).toBe(true);
    expect(client.getQueryState(pushed.balance)?.isInvalidated).toBe(false);
  });
});

describe("readFrame", () => {
  it("tells why a session ended, where it knows the reason", () => {
    const told = (why: unknown) =>
      readFrame(
        JSON.stringify({ v: 1, topic: "member", events: [{ type: "session_ended", why }] }),
      );
    const ended = { topic: "member", type: "session_ended" };
    const frame = { kind: "events", v: 1, topic: "member" };
    expect(told("member.frozen")).toEqual({
      ...frame,
      events: [{ ...ended, why: "member.frozen" }],
    });
    expect(told("bored")).toEqual({ ...frame, events: [ended] });
  });
  it("reads events and control frames", () => {
    const text = JSON.stringify({
      v: 4,
      topic: "member",
      events: [{ type: "balance", balance: balance(2, "7") }, { type: "session_ended" }],
    });
    expect(readFrame(text)).toEqual({
      kind: "events",
      v: 4,
      topic: "member",
      events: [
        { topic: "member", type: "balance", balance: balance(2, "7") },
        { topic: "member", type: "session_ended" },
      ],
    });
    const ready = {
      type: "ready",
      topics: { site: 5, winners: 9, odd: "x" },
      gaps: ["winners", "odd"],
    };
    expect(readFrame(JSON.stringify({ v: 0, topic: "control", event: ready }))).toEqual({
      kind: "control",
      event: { type: "ready", topics: { site: 5, winners: 9 }, gaps: ["winners"] },
    });
  });
  it("takes what it knows of a frame and leaves the rest", () => {
    const events = [{ type: "winner", entry: winner("a") }, null, { type: "jackpot" }];
    expect(readFrame(JSON.stringify({ v: 4, topic: "winners", events }))).toEqual({
      kind: "events",
      v: 4,
      topic: "winners",
      events: [{ topic: "winners", type: "winner", entry: winner("a") }],
    });
  });
  it.each([
    "",
    "null",
    "[]",
    "{",
    `{"v":1,"topic":"control","event":null}`,
    `{"v":1,"topic":"member","events":[]}`,
    `{"v":1,"topic":"member","events":{"type":"session_ended"}}`,
    `{"v":1,"topic":"member","events":[{"type":"balance","balance":{"balance":5}}]}`,
    `{"v":"1","topic":"member","events":[{"type":"session_ended"}]}`,
    `{"v":1,"topic":"odds","events":[{"type":"price"}]}`,
    `{"v":1,"topic":"winners","events":[{"type":"settings"}]}`,
  ])("refuses %j", (text) => {
    expect(readFrame(text)).toBeNull();
  });
});

describe("backOff", () => {
  it("doubles, is jittered and has a ceiling", () => {
    expect(backOff(0, 0)).toBe(250);
    expect(backOff(0, 1)).toBe(750);
    expect(backOff(3, 1)).toBe(4250);
    expect(backOff(40, 1)).toBe(30_250);
  });
});
