import { describe, expect, it, vi } from "vitest";

import type { GameRound, ToFrame } from "../protocol";
import { Link } from "./link";
import { frameText } from "./text";

const choice = { target: 5000, direction: "under" } as const;

function connect() {
  const { port1, port2 } = new MessageChannel();
  const heard: { type: string; requestId?: string }[] = [];
  port1.onmessage = ({ data }) => heard.push(data);
  const onInit = vi.fn();
  const link = new Link(port2, onInit);
  const send = (message: ToFrame | { type: string }) => port1.postMessage(message);
  return { link, heard, send, onInit, close: () => port1.close() };
}

describe("link to the parent", () => {
  it("gives every request its own answer", async () => {
    const { link, heard, send, close } = connect();
    const [one, two] = [link.play("1", choice), link.play("2", choice)];
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    const [first, second] = heard.map(({ requestId = "" }) => requestId) as [string, string];
    expect(first).not.toBe(second);
    send({ type: "refused", requestId: second, code: "wallet.insufficient_funds", text: "no" });
    send({ type: "book", requestId: first, round: { id: "r" } as GameRound });
    expect(await two).toEqual({ kind: "refused", code: "wallet.insufficient_funds", text: "no" });
    expect(await one).toMatchObject({ kind: "book", requestId: first });
    close();
  });

  it("numbers a step by what was done before it", async () => {
    const { link, heard, close } = connect();
    const round = { id: "r", actions: [{ pick: 1 }, { pick: 2 }] } as unknown as GameRound;
    void link.act(round, "cashOut");
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toMatchObject({
      type: "round.act",
      roundId: "r",
      step: 2,
      action: "cashOut",
    });
    close();
  });

  it("tells the game what changes and ignores the rest", async () => {
    const { link, send, onInit, close } = connect();
    const listeners = {
      balance: vi.fn(),
      jackpot: vi.fn(),
      resume: vi.fn(),
      replay: vi.fn(),
      theme: vi.fn(),
      sound: vi.fn(),
    };
    link.listen(listeners);
    send({ type: "nonsense" });
    send({ type: "theme", theme: "light" });
    send({ type: "sound", on: true });
    await vi.waitFor(() => expect(listeners.sound).toHaveBeenCalledWith(true));
    expect(listeners.theme).toHaveBeenCalledWith("light");
    expect(listeners.balance).not.toHaveBeenCalled();
    expect(onInit).not.toHaveBeenCalled();
    close();
  });
});

describe("texts", () => {
  it("fills placeholders and shows an unknown key", () => {
    const text = frameText<string>({ a: "{0} of {1}" });
    expect([text("a", 1, "x"), text("a", 1), text("b")]).toEqual(["1 of x", "1 of {1}", "b"]);
  });
});
