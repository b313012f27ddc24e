// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readToken, storeToken } from "@/lib/api/token";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import type { LoginAnswer } from "./api";
import { type EnterKind, type EnterOptions, type Site, enter } from "./enter";
import { firstStepOf, readPending } from "./pending";

const { member, keep, openPopup, closeAllPopups, fetchInfo } = vi.hoisted(() => ({
  member: { account: "marikit", isAgent: false, lastLoginAt: null, toComplete: false },
  keep: vi.fn(),
  openPopup: vi.fn(),
  closeAllPopups: vi.fn(),
  fetchInfo: vi.fn(),
}));
vi.mock("./remember", () => ({ keep }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, closeAllPopups }));
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
vi.mock("./api", async (load) => ({
  ...(await load<object>()),
  memberQuery: { queryKey: ["member", "info"], queryFn: fetchInfo, retry: false },
  openingBalance: () => Promise.reject(new Error("none")),
}));

const password = "pancit-sa-gabi-42";
const remember = { part: "login", what: { username: "marikit", password } } as const;
const inside = { token: "T", firstTimeLogin: false, passwordExpired: false } as LoginAnswer;
const expired = { ...inside, passwordExpired: true };
const halfway = { ...inside, token: null, twoFactor: { ticket: "t1" } } as LoginAnswer;

describe("enter", () => {
  let client: QueryClient;
  const navigate = vi.fn();
  const come = (kind: EnterKind, view: LoginAnswer, options?: EnterOptions) =>
    enter({ client, router: { navigate } as unknown as Site["router"] }, kind, view, options);

  beforeEach(() => {
    vi.clearAllMocks();
    vi.stubGlobal("scrollTo", vi.fn());
    sessionStorage.clear();
    setBoot(sampleBoot("EN"));
    member.isAgent = false;
    fetchInfo.mockImplementation(() => ({ ...member }));
    keep.mockResolvedValue(undefined);
    history.replaceState(null, "", "/");
    client = new QueryClient();
  });

  it("shows nobody what was another member's", async () => {
    const own = [
      ["wallet", "balance"],
      ["member", "info"],
      ["member", "devices"],
    ];
    for (const key of [
      ...own,
      ["member", "logins"],
      ["member", "contacts", "lost"],
      ["site", "x"],
    ]) {
      client.setQueryData(key, "another's");
    }
    await come("login", inside, { password });
    const left = client.getQueryCache().getAll();
    expect(left.map(({ queryKey, state }) => [queryKey, state.data])).toEqual([
      [["site", "x"], "another's"],
      [["member", "info"], member],
    ]);
  });

  it.each<[here: string, kind: EnterKind, next: string | undefined, isAgent: boolean, to: string]>([
    ["/", "login", undefined, false, "/"],
    ["/", "login", "/play/dice", false, "/play/dice"],
    ["/", "register", undefined, false, "/promotions"],
    // What is newly made has a page of its own, whatever asked for the log-in.
    ["/", "register", "/play/dice", false, "/promotions"],
    ["/play/dice", "trial", "/play/dice", false, "/play/dice"],
    ["/agentHome", "login", "/agentHome", true, "/agentHome"],
    ["/agentHome", "sms", undefined, true, "/agentHome"],
    ["/agentHome", "social", "/agentHome", true, "/agentHome"],
    // Who has just registered is no agent, and a demo account neither.
    ["/agentHome", "register", "/agentHome", false, "/promotions"],
    ["/agentHome", "trial", "/agentHome", false, "/"],
    ["/agentHome", "recovery", undefined, false, "/"],
    ["/agentHome", "recovery", undefined, true, "/agentHome"],
  ])("on %s leads %s with %s, agent: %s, to %s", async (here, kind, next, isAgent, to) => {
    history.replaceState(null, "", here);
    member.isAgent = isAgent;
    await come(kind, inside, { next });
    expect(navigate.mock.calls).toEqual([[{ href: to }]]);
  });

  it.each([
    ["trial", 1],
    ["register", 0],
    ["login", 0],
  ] as const)("closes all popups for a demo and nobody else: %s", async (kind, times) => {
    await come(kind, inside);
    expect(closeAllPopups).toHaveBeenCalledTimes(times);
    expect(scrollTo).toHaveBeenCalledOnce();
  });

  it("ends a session of which nothing can be heard, and no other", async () => {
    const fault = new Error("no line");
    fetchInfo.mockRejectedValueOnce(fault);
    await expect(come("login", inside)).rejects.toBe(fault);
    expect(readToken()).toBeNull();
    fetchInfo.mockImplementationOnce(() => {
      storeToken("of another log-in");
      throw fault;
    });
    await expect(come("login", inside)).rejects.toBe(fault);
    expect(readToken()).toBe("of another log-in");
  });

  it("keeps what is to be remembered once somebody is in, and waits for no browser", async () => {
    keep.mockReturnValue(new Promise(() => undefined));
    await come("login", inside, { password, remember });
    await vi.waitFor(() => expect(keep.mock.calls).toEqual([[remember]]));
    // What cannot be kept is no fault: an unhandled one would fail this file.
    keep.mockRejectedValue(new Error("full"));
    await come("login", inside, { password, remember });
    await vi.waitFor(() => expect(keep).toHaveBeenCalledTimes(2));
  });

  it("leaves it to the second step, and to that of the same log-in alone", async () => {
    await come("login", halfway, { password, remember });
    const first = readPending();
    expect(first && firstStepOf(first)).toEqual({ password, remember });
    await come("recovery", { ...halfway, twoFactor: { ticket: "t2" } });
    const second = readPending();
    expect(second && firstStepOf(second)).toEqual({});
    await come("recovery", inside);
    expect(keep).not.toHaveBeenCalled();
  });

  it("asks for a new password first, and keeps none that is about to end", async () => {
    await come("login", expired, { next: "/play/dice", password, remember });
    const forced = { next: "/play/dice", held: password, rememberedAs: "marikit" };
    expect(openPopup.mock.calls).toEqual([["changePassword", { forced }, expect.any(Function)]]);
    expect(keep).not.toHaveBeenCalled();
    expect(readToken()).toBe("T");
    expect(sessionStorage.getItem("mustChange")).toBe("/play/dice");
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(password);
  });

  it("asks nobody for it who has logged in since", async () => {
    await come("login", expired, { password });
    await come("sms", inside);
    expect(sessionStorage.getItem("mustChange")).toBeNull();
  });
});
