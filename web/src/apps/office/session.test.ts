// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/lib/api/client";
import { logOut, meQuery, peopleQuery, sessionsQuery } from "./api";
import { idleMs, isIdle, noteUse } from "./idle";
import { followSession, useIsOver } from "./session";

const me = {
  id: "1",
  username: "ana",
  name: "Ana",
  roles: ["auditor"],
  rights: ["staff.read"],
  lastLoginAt: null,
  mustChangePassword: false,
};
const sent: Request[] = [];
let status = 200;
let body: object = { value: true };

beforeEach(() => {
  sent.length = 0;
  localStorage.clear();
  useIsOver.setState({ isOver: false });
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    sent.push(
      new Request(
        new URL(input instanceof Request ? input.url : input, location.href),
        input instanceof Request ? input : init,
      ),
    );
    return Response.json(body, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

function answer(code: number, with_: object): void {
  status = code;
  body = with_;
}
const refusal = (code: string) => ({ success: false, code, message: "", value: null });

function enteredClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(meQuery.queryKey, me);
  client.setQueryData(peopleQuery.queryKey, []);
  followSession(client);
  return client;
}

describe("calls of the office", () => {
  it("say that they come from its own page, unless they only read", async () => {
    answer(200, { value: true });
    await logOut();
    answer(200, { value: me });
    await new QueryClient().fetchQuery(meQuery);
    expect(sent.map(({ headers }) => headers.get("X-Office-Page"))).toEqual(["1", null]);
  });

  it("are the only ones that do", async () => {
    answer(200, { value: true });
    await api.POST("/wps/session/logout" as never);
    expect(sent[0]?.headers.has("X-Office-Page")).toBe(false);
  });
});

describe("the session", () => {
  it("is nobody's where the server knows none", async () => {
    answer(401, refusal("session.required"));
    expect(await new QueryClient().fetchQuery(meQuery)).toBeNull();
  });

  it("is over as soon as any call says so, and what was loaded is forgotten", async () => {
    const client = enteredClient();
    answer(401, refusal("session.required"));
    await expect(client.fetchQuery(sessionsQuery)).rejects.toThrow();
    expect(client.getQueryData(meQuery.queryKey)).toBeNull();
    expect(client.getQueryData(peopleQuery.queryKey)).toBeUndefined();
    expect(useIsOver.getState().isOver).toBe(true);
  });

  it("stays where something else is refused; then the rights are asked for anew", async () => {
    const client = enteredClient();
    answer(403, refusal("staff.not_allowed"));
    await expect(logOut()).rejects.toThrow();
    expect(client.getQueryData(meQuery.queryKey)).toEqual(me);
    expect(client.getQueryState(meQuery.queryKey)?.isInvalidated).toBe(true);
  });

  it("counts as idle only after a quarter of an hour in all tabs", () => {
    expect(isIdle(1)).toBe(false);
    noteUse(1000);
    expect(isIdle(1000 + idleMs)).toBe(false);
    expect(isIdle(1001 + idleMs)).toBe(true);
  });
});
