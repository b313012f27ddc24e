import type { GameItem } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";
import type { Boot } from "./boot";

/** The games that the demo's home page begins with: code, name, in Tagalog, return, whether it feeds the jackpot. */
const games = [
  ["dice", "Dice", "Dice", "99", false],
  ["windows", "Capiz Windows", "Mga Bintanang Capiz", "94.36", true],
  ["mines", "Mines", "Mines", "99", false],
  ["sari", "Sari-Sari", "Sari-Sari", "94.47", true],
  ["plinko", "Plinko", "Plinko", "98.79", false],
  ["reef", "Coral Reef", "Bahura ng Korales", "95.78", false],
] as const;

/** Boot data as the demo's server sends it: for prerendering, and for developing without a server. */
export function sampleBoot(lang: Lang): Boot {
  const items = games.map(([code, english, tagalog, returns, jackpot]): GameItem => {
    const name = lang === "TY" ? tagalog : english;
    return {
      nodeId: code,
      vendor: "CAPIZ",
      vassalage: "CAPIZ",
      vendorName: "Capiz Studio",
      gameType: "RNG",
      gameCode: code,
      gameName: name,
      displayName: name,
      showIcon: `/art/${code}.svg`,
      supportPlay: 0,
      isGame: "GAME",
      gameClassify: jackpot ? ["JP"] : [],
      isNew: code !== "dice",
      isHot: true,
      jackpot,
      maintenance: false,
      returnPercent: returns,
    };
  });
  return {
    lang,
    merchant: {
      code: "capiz",
      name: "Capiz",
      currency: "PHP",
      timeZone: "Asia/Manila",
      languages: ["EN", "TY"],
    },
    status: 0,
    switches: { COMM3: true, DIRECTREG3: true, USERNAMEREG3: true },
    phoneService: null,
    links: { service: null, social: [] },
    games: items,
    hot: items,
    menus: ["RNG", "BINGO", "HOT"].map((gameCategory) => ({
      gameCategory,
      vendors: [],
      labels: {},
    })),
    centers: ["RNG", "HOT", "BINGO"],
  };
}
