import { describe, expect, it } from "vitest";
import { type Launchable, type Who, destinationOf } from "./launch";

const centers = ["RNG", "HOT", "BINGO"];
const mines: Launchable = {
  gameCode: "mines",
  vassalage: "CAPIZ",
  gameType: "RNG",
  isGame: "GAME",
  supportPlay: 0,
  maintenance: false,
};
const provider = { ...mines, gameCode: "", isGame: "VASSALAGE" };

describe("launch", () => {
  it.each<[string, Partial<Launchable>, Who, ReturnType<typeof destinationOf>]>([
    [
      "a visitor logs in first, and comes back",
      {},
      "visitor",
      { kind: "login", next: "/play/mines" },
    ],
    [
      "a visitor logs in before anything else",
      { vassalage: "FB", maintenance: true, supportPlay: 1 },
      "visitor",
      { kind: "login", next: "/play/mines" },
    ],
    ["a demo account is told to register", { supportPlay: 1 }, "trial", { kind: "trial" }],
    ["a demo account plays what is free", {}, "trial", { kind: "play", gameCode: "mines" }],
    ["a member plays", { supportPlay: 1 }, "member", { kind: "play", gameCode: "mines" }],
    ["whose session is still read plays", {}, "unknown", { kind: "play", gameCode: "mines" }],
    [
      "Vietnamese lotteries",
      { vassalage: "TCG_LOTTO_VN", gameCode: "HN 1&2" },
      "member",
      { kind: "page", href: "/vnLottery?gameCode=HN%201%262" },
    ],
    [
      "lotteries of the region",
      { vassalage: "TCG_SEA" },
      "member",
      { kind: "page", href: "/seaLottery?gameCode=mines" },
    ],
    ["lottery", { vassalage: "LOTT" }, "member", { kind: "page", href: "/lottery?gameCode=mines" }],
    [
      "e-lottery",
      { vassalage: "ELOTT" },
      "member",
      { kind: "page", href: "/lottery?gameCode=mines" },
    ],
    ["football", { vassalage: "FB" }, "member", { kind: "page", href: "/fbSports" }],
    [
      "a game under maintenance",
      { maintenance: true },
      "member",
      { kind: "maintenance", gameCode: "mines" },
    ],
    [
      "no name of the language itself",
      { vassalage: "toString" },
      "member",
      { kind: "play", gameCode: "mines" },
    ],
  ])("%s", (_, change, who, expected) => {
    expect(destinationOf({ ...mines, ...change }, who, centers)).toEqual(expected);
  });

  it.each<[string, Partial<Launchable>, readonly string[], ReturnType<typeof destinationOf>]>([
    ["on the page of its kind", {}, centers, { kind: "center", path: "/rng", vassalage: "CAPIZ" }],
    ["in a popup", { gameType: "LIVE" }, centers, { kind: "list", vassalage: "CAPIZ" }],
    ["as the brand has it", {}, ["LIVE"], { kind: "list", vassalage: "CAPIZ" }],
    ["and unknown kinds, too", { gameType: "NEW" }, ["NEW"], { kind: "list", vassalage: "CAPIZ" }],
  ])("a provider's games are listed %s", (_, change, configured, expected) => {
    expect(destinationOf({ ...provider, ...change }, "member", configured)).toEqual(expected);
  });
});
