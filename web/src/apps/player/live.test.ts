// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Site } from "@/features/auth/enter";
import { noticed } from "@/lib/api/client";
import { ApiError } from "@/lib/api/error";
import { clearSession, readToken, storeToken } from "@/lib/api/token";
import {
  type Needs,
  type PopupRegistry,
  closeAllPopups,
  openPopup,
  setUpPopups,
  usePopups,
} from "@/lib/popup/popup";
import { goLive } from "./live";

type Line = { onSessionEnded: (why?: "member.frozen") => void };
const { lines } = vi.hoisted(() => ({ lines: [] as Line[] }));
vi.mock("@/lib/push/socket", () => ({
  PushSocket: class {
    constructor(_: unknown, line: Line) {
      lines.push(line);
    }
    start = () => undefined;
  },
}));
vi.mock("@/lib/i18n/i18n", async (load) => ({
  ...(await load<object>()),
  t: (key: string) => key,
  loadMessages: async () => undefined,
}));

const entry = (needs: Needs) => ({
  load: () => Promise.reject(new Error("not rendered here")),
  needs,
  stack: "over",
});
const registry = {
  login: entry("anyone"),
  forgot: entry("anyone"),
  help: entry("anyone"),
  changePassword: entry("session"),
  bind: entry("member"),
  recoveryCodes: entry("member"),
} as unknown as PopupRegistry;

const client = new QueryClient();
const navigate = vi.fn();
const site: Site = { client, router: { navigate } as unknown as Site["router"] };
const open = () => usePopups.getState().open.map(({ name, props }) => [name, props]);
const names = () => open().map(([name]) => name);
/** As the server refuses a token. */
const refuse = () => noticed(new ApiError(401, "session.required", ""), readToken());
/** The sentences that are told come a moment later. */
const told = () => new Promise((resolve) => setTimeout(resolve));
const refusal = "session.lost";

vi.stubGlobal("requestIdleCallback", (run: () => void) => run());
goLive(site);

describe("what runs beside the page", () => {
  beforeEach(() => {
    vi.stubGlobal("requestIdleCallback", vi.fn());
    setUpPopups(registry, () => null);
    clearSession();
    closeAllPopups();
    vi.clearAllMocks();
    sessionStorage.clear();
    client.clear();
    history.replaceState(null, "", "/");
    storeToken("T");
  });

  it("forgets everything that was the member's whose session ends", () => {
    for (const key of [
      ["wallet", "balance"],
      ["member", "devices"],
      ["member", "logins"],
    ]) {
      client.setQueryData(key, "own");
    }
    client.setQueryData(["site", "x"], "everybody's");
    storeToken("another of the same session");
    expect(client.getQueryData(["member", "devices"])).toBe("own");
    clearSession();
    const left = client.getQueryCache().getAll();
    expect(left.map(({ queryKey }) => queryKey)).toEqual([["site", "x"]]);
  });

  it("shows nobody the popups of a session that has ended", async () => {
    openPopup("recoveryCodes", {});
    openPopup("bind", { what: "email", purpose: "change" });
    openPopup("help", {});
    storeToken("another of the same session");
    expect(names()).toEqual(["recoveryCodes", "bind", "help"]);
    refuse();
    await told();
    expect(names()).toEqual(["help", "login"]);
    storeToken("of another member");
    expect(names()).toEqual(["help", "login"]);
  });

  it.each([{ forced: { next: "/", held: "123456" } }, {}])(
    "closes that for a new password with it, and leaves nothing twice: %j",
    (props) => {
      openPopup("changePassword", props);
      clearSession();
      expect(names()).toEqual([]);
      expect(navigate).not.toHaveBeenCalled();
    },
  );

  it.each([
    ["/transactionHistory", { next: "/transactionHistory" }],
    ["/loginless", { next: "/loginless" }],
    ["/login/verify", {}],
    ["/login", {}],
    ["/register", {}],
  ])("offers a log-in, and says why, where a session has ended, from %s: %j", async (here, to) => {
    history.replaceState(null, "", here);
    refuse();
    await told();
    expect(open()).toEqual([["login", { ...to, refusal }]]);
  });

  it.each(["login", "forgot"] as const)("leaves alone whom the popup %s leads on", async (name) => {
    openPopup(name, {});
    refuse();
    await told();
    expect(names()).toEqual([name]);
  });

  it("says in any case that an account was frozen, of which the line tells", async () => {
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    openPopup("forgot", {});
    lines[0]?.onSessionEnded("member.frozen");
    expect(readToken()).toBeNull();
    await told();
    expect(open()).toEqual([
      ["forgot", {}],
      ["login", { next: "/", refusal: "error.member_frozen" }],
    ]);
    // Who has left is told nothing.
    lines[0]?.onSessionEnded("member.frozen");
    await told();
    expect(names()).toEqual(["forgot", "login"]);
  });

  it("asks again for a new password that must be set, and nobody else for one", () => {
    goLive(site);
    expect(open()).toEqual([]);
    sessionStorage.setItem("mustChange", "/play/dice");
    goLive(site);
    const forced = { next: "/play/dice", held: undefined };
    expect(open()).toEqual([["changePassword", { forced }]]);
    // Who leaves is not asked when somebody comes back.
    clearSession();
    expect(sessionStorage.getItem("mustChange")).toBeNull();
    goLive(site);
    expect(open()).toEqual([]);
  });
});
