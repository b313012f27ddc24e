import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Page } from "@/lib/side-window";
import { startSocial } from "./social";

const origin = "https://capiz.example";

function scene() {
  const target = new EventTarget();
  const opened = { closed: false };
  const page = {
    open: vi.fn(() => opened),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    origin,
  };
  const said: string[] = [];
  const events = {
    onBlocked: () => said.push("blocked"),
    onClosed: () => said.push("closed"),
    onTicket: (ticket: string) => said.push(`ticket ${ticket}`),
    onRefused: (error: { code: string }) => said.push(`refused ${error.code}`),
  };
  const say = (data: unknown, from: { origin?: string; source?: unknown } = {}) => {
    const event = new Event("message");
    Object.assign(event, { origin, source: opened, data, ...from });
    target.dispatchEvent(event);
  };
  return {
    page,
    opened,
    events,
    said,
    say,
    start: () => startSocial("oidc", events, page as unknown as Page),
  };
}

describe("startSocial", () => {
  let one = scene();
  let stop = () => undefined as void;
  beforeEach(() => {
    vi.useFakeTimers();
    one = scene();
    stop = one.start();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  it("gives the ticket of its own window, once", () => {
    one.say({ ticket: "T" });
    one.say({ ticket: "T" });
    expect(one.said).toEqual(["ticket T"]);
  });

  it("hears nobody else", () => {
    one.say({ ticket: "T" }, { origin: "https://elsewhere.example" });
    one.say({ ticket: "T" }, { source: {} });
    one.say("ticket");
    one.say({ token: "T" });
    expect(one.said).toEqual([]);
  });

  it("tells what the server refused", () => {
    one.say({ error: "site.switched_off" });
    expect(one.said).toEqual(["refused site.switched_off"]);
  });

  it("tells that the window was closed, and hears a late ticket", () => {
    vi.advanceTimersByTime(2000);
    expect(one.said).toEqual([]);
    one.opened.closed = true;
    vi.advanceTimersByTime(4000);
    expect(one.said).toEqual(["closed"]);
    one.say({ ticket: "T" });
    expect(one.said).toEqual(["closed", "ticket T"]);
  });

  it("tells that the browser blocked the window", () => {
    const other = scene();
    other.page.open.mockReturnValue(null as unknown as { closed: boolean });
    other.start();
    expect(other.said).toEqual(["blocked"]);
  });
});
