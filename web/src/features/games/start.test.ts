import { beforeEach, describe, expect, it, vi } from "vitest";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { type PopupRegistry, closeAllPopups, setUpPopups, usePopups } from "@/lib/popup/popup";
import type { Launchable, Who } from "./launch";
import { start } from "./start";

const load = () => Promise.reject(new Error("not rendered here"));
const entry = { load, needs: "anyone", stack: "over" } as const;
const mines: Launchable = {
  gameCode: "mines",
  vassalage: "CAPIZ",
  gameType: "RNG",
  isGame: "GAME",
  supportPlay: 0,
  maintenance: false,
};
const go = vi.fn<(href: string) => void>();

beforeEach(() => {
  setBoot(sampleBoot("EN"));
  const registry = { login: entry, notice: entry, vendorGames: entry, gameMaintenance: entry };
  setUpPopups(registry as unknown as PopupRegistry, () => null);
  closeAllPopups();
  go.mockClear();
});

describe("starting a game", () => {
  it.each<[Who, Partial<Launchable>, string]>([
    ["visitor", {}, "login"],
    ["trial", { supportPlay: 1 }, "notice"],
    ["member", { maintenance: true }, "gameMaintenance"],
    ["member", { isGame: "VASSALAGE", gameType: "LIVE" }, "vendorGames"],
  ])("opens a popup for a %s with %j: %s", (who, change, name) => {
    start({ ...mines, ...change }, who, go);
    expect(usePopups.getState().open.map((popup) => popup.name)).toEqual([name]);
    expect(go).not.toHaveBeenCalled();
  });

  it("tells a visitor why there is a log-in", () => {
    start(mines, "visitor", go);
    const props = { next: "/play/mines", refusal: "error.session_required" };
    expect(usePopups.getState().open[0]?.props).toEqual(props);
  });

  it.each<[Partial<Launchable>, string]>([
    [{}, "/play/mines"],
    [{ vassalage: "FB" }, "/fbSports"],
    [{ isGame: "VASSALAGE" }, "/rng?vassalage=CAPIZ"],
  ])("goes somewhere with %j: %s", (change, href) => {
    start({ ...mines, ...change }, "member", go);
    expect(go).toHaveBeenCalledExactlyOnceWith(href);
    expect(usePopups.getState().open).toEqual([]);
  });
});
