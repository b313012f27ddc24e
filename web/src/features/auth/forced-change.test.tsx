// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, readToken, storeToken } from "@/lib/api/token";
import { type PopupRegistry, closeAllPopups, setUpPopups, usePopups } from "@/lib/popup/popup";
import { setStage } from "@/lib/testing/stage";
import { PopupHost } from "@/ui/popup-host";
import type { Site } from "./enter";
import { dropForcedChange, forceChange, resumeForcedChange } from "./forced-change";

const { logout, load } = vi.hoisted(() => ({ logout: vi.fn(), load: vi.fn() }));
vi.mock("./api", () => ({ logout }));
vi.mock("@/lib/lazy", async (load) => ({
  ...(await load<object>()),
  loadPart: (part: () => unknown) => part(),
}));
vi.mock("@/lib/i18n/i18n", () => ({
  t: (key: string) => key,
  useT: () => (key: string) => key,
  loadMessages: async () => undefined,
}));

const forced = { next: "/play/dice", held: "123456" };

describe("a password that must be changed", () => {
  const page = setStage();
  const navigate = vi.fn();
  const client = new QueryClient();
  const site: Site = { client, router: { navigate } as unknown as Site["router"] };
  /** As Esc does it. */
  const escape = () =>
    page.run(() => {
      const event = new Event("cancel", { cancelable: true });
      document.querySelector("dialog")?.dispatchEvent(event);
    });
  const isOpen = () => usePopups.getState().open.length > 0;

  beforeEach(() => {
    clearSession();
    const entry = { load, needs: "session", stack: "over" };
    setUpPopups({ changePassword: entry } as unknown as PopupRegistry, () => null);
    closeAllPopups();
    vi.clearAllMocks();
    logout.mockResolvedValue(undefined);
    storeToken("old");
  });

  it("lets nobody stay who closes the popup while it loads, or when it cannot be loaded", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    let fail: (error: Error) => void = () => undefined;
    load.mockReturnValue(new Promise((_, reject) => (fail = reject)));
    await page.show(<PopupHost />);
    await page.run(() => forceChange(site, forced));
    client.setQueryData(["member", "info"], "own");
    await escape();
    expect(isOpen()).toBe(false);
    expect(readToken()).toBeNull();
    expect(logout).toHaveBeenCalledOnce();
    expect(navigate.mock.calls).toEqual([[{ to: "/", replace: true }]]);
    expect(client.getQueryData(["member", "info"])).toBeUndefined();

    storeToken("of the next log-in");
    await page.run(() => forceChange(site, forced));
    await page.run(() => fail(new Error("no line")));
    await page.press("fault.leave");
    expect(isOpen()).toBe(false);
    expect(readToken()).toBeNull();
    expect(logout).toHaveBeenCalledTimes(2);
  });

  it("lets nobody stay who closes the popup that a reload opens", () => {
    sessionStorage.setItem("mustChange", "/play/dice");
    resumeForcedChange(site);
    closeAllPopups();
    expect(readToken()).toBeNull();
    expect(logout).toHaveBeenCalledOnce();
  });

  it("keeps the session of whoever has changed it", () => {
    forceChange(site, forced);
    dropForcedChange();
    storeToken("new");
    closeAllPopups();
    expect(readToken()).toBe("new");
    expect(logout).not.toHaveBeenCalled();
  });

  it("keeps the session that has begun since, whatever it must do itself", () => {
    forceChange(site, forced);
    clearSession();
    storeToken("of another log-in");
    sessionStorage.setItem("mustChange", "/");
    closeAllPopups();
    expect(readToken()).toBe("of another log-in");
    expect(logout).not.toHaveBeenCalled();
  });

  it("ends nothing where the session has ended already", () => {
    forceChange(site, forced);
    clearSession();
    closeAllPopups();
    expect(logout).not.toHaveBeenCalled();
    expect(navigate).not.toHaveBeenCalled();
  });
});
