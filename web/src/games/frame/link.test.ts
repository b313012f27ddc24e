import { describe, expect, it, vi } from "vitest";

import type { Round } from "@/lib/api/types";

import type { ToFrame } from "../protocol";
import { playBook } from "./book";
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
    send({ type: "book", requestId: first, round: { id: "r" } as Round });
    expect(await two).toEqual({ kind: "refused", code: "wallet.insufficient_funds", text: "no" });
    expect(await one).toMatchObject({ kind: "book", requestId: first });
    close();
  });

  it("tells the game what changes and ignores the rest", async () => {
    const { link, send, onInit, close } = connect();
    const listeners = { balance: vi.fn(), theme: vi.fn(), sound: vi.fn() };
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

describe("book", () => {
  it("finishes every event before the next one", async () => {
    const seen: string[] = [];
    await playBook(
      [
        { type: "roll", roll: 1, target: 2, direction: "under", won: true },
        { type: "payout", amount: "3", multiplier: "1.5" },
      ],
      {
        roll: async ({ roll }) => {
          await Promise.resolve();
          seen.push(`roll ${roll}`);
        },
        payout: ({ amount }) => {
          seen.push(`payout ${amount}`);
        },
      },
    );
    expect(seen).toEqual(["roll 1", "payout 3"]);
  });
});

describe("texts", () => {
  it("fills placeholders and shows an unknown key", () => {
    const text = frameText<string>({ a: "{0} of {1}" });
    expect([text("a", 1, "x"), text("a", 1), text("b")]).toEqual(["1 of x", "1 of {1}", "b"]);
  });
});
