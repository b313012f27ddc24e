// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Site } from "@/features/auth/enter";
import { clearSession, storeToken } from "@/lib/api/token";
import { goLive } from "./live";

const { openPopup } = vi.hoisted(() => ({ openPopup: vi.fn() }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, usePopups: { getState: () => ({ open: [] }) } }));

const site = (client = new QueryClient()): Site => ({
  client,
  router: { navigate: vi.fn() } as unknown as Site["router"],
});

describe("what runs beside the page", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    vi.stubGlobal("requestIdleCallback", vi.fn());
    sessionStorage.clear();
  });

  it("forgets everything that was the member's whose session ends", () => {
    const client = new QueryClient();
    storeToken("T");
    goLive(site(client));
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

  it("asks again for a new password that must be set, and nobody else for one", () => {
    storeToken("T");
    goLive(site());
    expect(openPopup).not.toHaveBeenCalled();
    sessionStorage.setItem("mustChange", "/play/dice");
    goLive(site());
    const forced = { next: "/play/dice", held: undefined };
    expect(openPopup.mock.calls).toEqual([["changePassword", { forced }, expect.any(Function)]]);
    // Who leaves is not asked when somebody comes back.
    clearSession();
    expect(sessionStorage.getItem("mustChange")).toBeNull();
    goLive(site());
    expect(openPopup).toHaveBeenCalledOnce();
  });
});
