import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../side-window";
import { verifyNumber } from "./phone-service";

const origin = "https://capiz.example";
const service = { page: "https://phone.example/verify?tenant=7", client: "capiz-phones" };

function scene() {
  const target = new EventTarget();
  const opened = { closed: false };
  const open = vi.fn((_address: string) => opened as Window | null);
  const page = {
    open,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    origin,
  };
  const said: string[] = [];
  const events = {
    onBlocked: () => said.push("blocked"),
    onClosed: () => said.push("closed"),
    onToken: (token: string) => said.push(`token ${token}`),
    onRefused: () => said.push("refused"),
  };
  const say = (data: unknown) => {
    const event = new Event("message");
    Object.assign(event, { origin, source: opened, data });
    target.dispatchEvent(event);
  };
  const start = () =>
    verifyNumber(
      service,
      { number: "+639171234567", lang: "fil" },
      events,
      page as unknown as Page,
    );
  /** The query that the window was opened with. */
  const asked = () => new URL(open.mock.calls[0]?.[0] ?? "").searchParams;
  return { open, said, say, start, asked };
}

function tokenWith(nonce: string | null): string {
  const claims = btoa(JSON.stringify({ nonce, name: "ñ?>" })).replaceAll("+", "-");
  return `head.${claims.replaceAll("/", "_")}.signature`;
}

describe("verifyNumber", () => {
  let one = scene();
  let stop = () => undefined as void;
  beforeEach(() => {
    one = scene();
    stop = one.start();
  });
  afterEach(() => stop());

  it("goes to the service's page with all that it has to know", () => {
    const address = new URL(one.open.mock.calls[0]?.[0] ?? "");
    expect(address.origin + address.pathname).toBe("https://phone.example/verify");
    const { state, nonce, ...query } = Object.fromEntries(address.searchParams);
    expect(query).toEqual({
      tenant: "7",
      response_type: "id_token",
      client_id: "capiz-phones",
      redirect_uri: `${origin}/wps/session/phone/return`,
      scope: "openid phone",
      login_hint: "+639171234567",
      ui_locales: "fil",
    });
    expect(new Set([state, nonce]).size).toBe(2);
  });

  it("asks with a state and a nonce of 256 bits", () => {
    for (const name of ["state", "nonce"]) expect(one.asked().get(name)).toMatch(/^[\da-f]{64}$/);
  });

  it("takes a token with its own state and nonce, once", () => {
    const token = tokenWith(one.asked().get("nonce"));
    const told = { state: one.asked().get("state"), idToken: token };
    one.say(told);
    one.say(told);
    expect(one.said).toEqual([`token ${token}`]);
  });

  it("hears nothing that has another state", () => {
    one.say({ state: "another", idToken: tokenWith(one.asked().get("nonce")) });
    one.say({ idToken: "x" });
    one.say("x");
    expect(one.said).toEqual([]);
  });

  it.each([null, "", "a.b.c", tokenWith("another"), tokenWith(null)])(
    "refuses %s in the place of a token that was made for it",
    (idToken) => {
      one.say({ state: one.asked().get("state"), idToken });
      expect(one.said).toEqual(["refused"]);
    },
  );
});
