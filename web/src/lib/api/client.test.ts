// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, api, call, onSessionEnded, onToComplete, unwrap } from "./client";
import { errorText } from "./error-text";
import { dropSealKey, sealedCall } from "./sealed";
import { readToken, storeToken } from "./token";

vi.mock("@/lib/seal/seal", () => ({
  sealBody: (key: { kid: string }, method: string, path: string, _body: unknown, now: number) =>
    Promise.resolve({
      kid: key.kid,
      enc: "",
      ct: `${method} ${path}`,
      at: now,
      nonce: String(Math.random()),
    }),
}));

type Sent = { url: string; method: string; headers: Headers; body: string };
const sent: Sent[] = [];

/** Answers requests in turn and keeps what was sent. */
function answers(...list: (() => Response | Promise<Response>)[]): void {
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request =
      input instanceof Request ? input : new Request(new URL(input, location.href), init);
    sent.push({
      url: new URL(request.url).pathname,
      method: request.method,
      headers: request.headers,
      body: await request.clone().text(),
    });
    const next = list.shift();
    if (!next) throw new Error("no more answers");
    return next();
  });
}
const json = (status: number, body: unknown) => () =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const good = (value: unknown) => json(200, { success: true, value, message: null });
const bad = (status: number, code: string, fields?: Record<string, string>) =>
  json(status, { success: false, code, message: "no", fields });
const key = (kid: string) => good({ kid, publicKey: "", now: Date.now() + 5000 });

beforeEach(() => {
  sent.length = 0;
  sessionStorage.clear();
  dropSealKey();
});

describe("unwrap", () => {
  it("gives the value and sends the token and the merchant", async () => {
    storeToken("T");
    sessionStorage.setItem("merchant", "demo");
    answers(good({ currency: "PHP", balance: "5", version: 1 }));
    await expect(unwrap(api.GET("/wps/v2/wallets/balance"))).resolves.toEqual({
      currency: "PHP",
      balance: "5",
      version: 1,
    });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer T");
    expect(sent[0]?.headers.get("merchant")).toBe("demo");
  });

  it("sends neither when there is none", async () => {
    answers(good(null));
    await unwrap(api.GET("/wps/system/status"));
    expect(sent[0]?.headers.has("authorization")).toBe(false);
    expect(sent[0]?.headers.has("merchant")).toBe(false);
  });

  it("throws what the envelope says", async () => {
    answers(bad(400, "input.invalid", { username: "taken" }));
    await expect(unwrap(api.GET("/wps/system/status"))).rejects.toMatchObject({
      status: 400,
      code: "input.invalid",
      fields: { username: "taken" },
    });
  });

  it("takes an answer outside the envelope for a fault of the server", async () => {
    answers(json(502, "<html>"));
    await expect(unwrap(api.GET("/wps/system/status"))).rejects.toMatchObject({
      code: "server.unavailable",
    });
  });

  it("calls a lost line by its name", async () => {
    answers(() => Promise.reject(new TypeError("failed to fetch")));
    await expect(unwrap(api.GET("/wps/system/status"))).rejects.toMatchObject({
      code: "network",
      status: 0,
    });
  });

  it("tells when it is worth coming back", async () => {
    const crowded = () => {
      const response = bad(503, "server.unavailable")();
      response.headers.set("Retry-After", "7");
      return response;
    };
    answers(crowded, bad(400, "input.invalid"));
    await expect(call("GET", "/wps/captcha")).rejects.toMatchObject({ retryAfter: 7 });
    await expect(call("GET", "/wps/captcha")).rejects.toMatchObject({ retryAfter: undefined });
  });

  it("ends the session when the token is refused, keeping the merchant", async () => {
    const ended = vi.fn<() => void>();
    const stop = onSessionEnded(ended);
    storeToken("old");
    sessionStorage.setItem("merchant", "demo");
    answers(bad(401, "session.required"));
    await expect(unwrap(api.GET("/wps/member/info"))).rejects.toBeInstanceOf(ApiError);
    expect(readToken()).toBeNull();
    expect(sessionStorage.getItem("merchant")).toBe("demo");
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
  });

  it("tells that the registration is to be completed, and keeps the session", async () => {
    const asked = vi.fn<() => void>();
    const stop = onToComplete(asked);
    storeToken("mine");
    answers(bad(403, "member.to_complete"), bad(403, "session.trial"));
    await expect(unwrap(api.GET("/wps/member/info"))).rejects.toBeInstanceOf(ApiError);
    await expect(unwrap(api.GET("/wps/member/info"))).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(readToken()).toBe("mine");
    stop();
  });

  it("keeps a session that began while the refused call was under way", async () => {
    storeToken("old");
    answers(() => {
      storeToken("new");
      return bad(401, "session.required")();
    });
    await expect(unwrap(api.GET("/wps/member/info"))).rejects.toBeInstanceOf(ApiError);
    expect(readToken()).toBe("new");
  });
});

describe("sealedCall", () => {
  const body = { username: "a", password: "b", type: "username" } as const;
  const view = { token: "t", firstTimeLogin: false, passwordExpired: false };

  it("seals with the server's key and clock, and keeps the key", async () => {
    answers(key("k1"), good(view), good(view));
    await expect(sealedCall("POST /wps/session/login", body)).resolves.toEqual(view);
    await sealedCall("POST /wps/session/login", body);
    expect(sent.map(({ url }) => url)).toEqual([
      "/wps/system/key",
      "/wps/session/login",
      "/wps/session/login",
    ]);
    expect(sent[1]?.headers.get("content-type")).toBe("application/sealed+json");
    const { at } = JSON.parse(sent[1]?.body ?? "{}") as { at: number };
    expect(at - Date.now()).toBeGreaterThan(3000);
  });

  it("fetches a new key and tries once more when the seal is refused", async () => {
    answers(key("k1"), bad(400, "seal.invalid"), key("k2"), good(view));
    await expect(sealedCall("POST /wps/session/login", body)).resolves.toEqual(view);
    const [first, second] = [sent[1], sent[3]].map((call) => JSON.parse(call?.body ?? "{}"));
    expect([first.kid, second.kid]).toEqual(["k1", "k2"]);
    expect(second.nonce).not.toBe(first.nonce);
  });

  it("gives up after the second refusal", async () => {
    answers(key("k1"), bad(400, "seal.invalid"), key("k2"), bad(400, "seal.invalid"));
    await expect(sealedCall("POST /wps/session/login", body)).rejects.toMatchObject({
      code: "seal.invalid",
    });
    expect(sent).toHaveLength(4);
  });

  it("does not repeat another refusal", async () => {
    answers(key("k1"), bad(400, "session.wrong_credentials"));
    await expect(sealedCall("POST /wps/session/login", body)).rejects.toMatchObject({
      code: "session.wrong_credentials",
    });
  });
});

describe("errorText", () => {
  const t = (name: string) => name;
  it("has a sentence for every thrown value", () => {
    expect(errorText(new ApiError(0, "network", ""), t)).toBe("error.network");
    expect(errorText(new ApiError(500, "of.tomorrow" as "network", ""), t)).toBe(
      "error.unexpected",
    );
    expect(errorText(new Error("x"), t)).toBe("error.unexpected");
  });
});
