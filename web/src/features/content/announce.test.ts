// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession, storeToken } from "@/lib/api/token";
import {
  type PopupRegistry,
  closeAllPopups,
  closePopup,
  openPopup,
  setUpPopups,
  usePopups,
} from "@/lib/popup/popup";
import { announce } from "./announce";

vi.mock("@/features/auth/api", () => ({
  memberQuery: { queryKey: ["member", "info"], queryFn: () => ({}) },
}));
vi.mock("./api", () => ({
  popupsQuery: () => ({
    queryKey: ["popups"],
    queryFn: () => [{ id: "1", execution: "B", promotionType: "NEWPLAYER" }],
  }),
}));

const load = () => Promise.reject(new Error("not rendered here"));
const entry = { load, needs: "anyone", stack: "over" } as const;
const registry = { login: entry, forgot: entry, announcements: { ...entry, stack: "page" } };

describe("what is announced to visitors", () => {
  const names = () => usePopups.getState().open.map(({ name }) => name);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 10));
  const moves = new Set<() => void>();
  const move = async (path: string) => {
    history.replaceState(null, "", path);
    for (const listener of moves) listener();
    await settled();
  };
  const begin = async (path: string, wasInside = false) => {
    history.replaceState(null, "", path);
    const onMove = (listener: () => void) => {
      moves.add(listener);
      return () => moves.delete(listener);
    };
    announce(new QueryClient(), onMove, wasInside);
    await settled();
  };

  beforeEach(() => {
    setUpPopups(registry as unknown as PopupRegistry, () => null);
    closeAllPopups();
    moves.clear();
    clearSession();
    sessionStorage.clear();
    localStorage.clear();
  });

  it("opens on an ordinary page, once", async () => {
    await begin("/promotions");
    expect(names()).toEqual(["announcements"]);
    closeAllPopups();
    await begin("/promotions");
    expect(names()).toEqual([]);
  });

  it.each(["/login", "/login/verify", "/register", "/agentHome", "/play/dice"])(
    "waits on %s for another page",
    async (path) => {
      await begin(path);
      expect(names()).toEqual([]);
      await move("/loginless");
      expect(names()).toEqual(["announcements"]);
    },
  );

  it("does not come between a popup and the one that it leads to", async () => {
    const login = openPopup("login", {});
    await begin("/");
    closePopup(login);
    const forgot = openPopup("forgot", {});
    await settled();
    expect(names()).toEqual(["forgot"]);
    closePopup(forgot);
    await settled();
    expect(names()).toEqual(["announcements"]);
  });

  it("greets nobody who has left before it began", async () => {
    await begin("/promotions", true);
    expect(names()).toEqual([]);
  });

  it("invites no member who has left, after a reload either", async () => {
    storeToken("T");
    await begin("/promotions");
    clearSession();
    closeAllPopups();
    await begin("/promotions");
    expect(names()).toEqual([]);
  });
});
