// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, storeToken } from "@/lib/api/token";
import { goLive } from "./live";

const { openPopup } = vi.hoisted(() => ({ openPopup: vi.fn() }));
vi.mock("@/lib/popup/popup", () => ({ openPopup, usePopups: { getState: () => ({ open: [] }) } }));

describe("what runs beside the page", () => {
  beforeEach(() => {
    vi.clearAllMocks();
    vi.stubGlobal("requestIdleCallback", vi.fn());
    sessionStorage.clear();
  });

  it("forgets everything that was the member's whose session ends", () => {
    const client = new QueryClient();
    storeToken("T");
    goLive(client);
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
    goLive(new QueryClient());
    expect(openPopup).not.toHaveBeenCalled();
    sessionStorage.setItem("mustChange", "/play/dice");
    goLive(new QueryClient());
    const forced = { next: "/play/dice", held: undefined };
    expect(openPopup.mock.calls).toEqual([["changePassword", { forced }]]);
    // Who leaves is not asked when somebody comes back.
    clearSession();
    expect(sessionStorage.getItem("mustChange")).toBeNull();
    goLive(new QueryClient());
    expect(openPopup).toHaveBeenCalledOnce();
  });
});
