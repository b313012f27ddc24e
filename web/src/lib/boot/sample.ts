import type { Lang } from "@/lib/i18n/languages";
import type { Boot } from "./boot";

/** Boot data as the demo's server sends it: for prerendering, and for developing without a server. */
export function sampleBoot(lang: Lang): Boot {
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
    games: [
      {
        nodeId: "dice",
        vendor: "CAPIZ",
        vassalage: "CAPIZ",
        gameType: "RNG",
        gameCode: "dice",
        gameName: "Dice",
        displayName: "Dice",
        showIcon: "/art/dice.svg",
        supportPlay: 0,
        isGame: "GAME",
        returnPercent: "99",
      },
    ],
  };
}
