import type { GameItem } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";
import banners from "../../../../domains/content/seeds/banners.json";
import notices from "../../../../domains/content/seeds/notices.json";
import type { Banner, Boot, NoticeTitle } from "./boot";

/** The games that the demo's home page begins with: code, name, in Tagalog, return, whether it feeds the jackpot. */
const games = [
  ["dice", "Dice", "Dice", "99", false],
  ["windows", "Capiz Windows", "Mga Bintanang Capiz", "94.36", true],
  ["mines", "Mines", "Mines", "99", false],
  ["sari", "Sari-Sari", "Sari-Sari", "94.47", true],
  ["plinko", "Plinko", "Plinko", "98.79", false],
  ["reef", "Coral Reef", "Bahura ng Korales", "95.78", false],
] as const;

const latest = 10;

/** The banners that a site begins with. */
function sampleBanners(lang: Lang): Banner[] {
  return banners
    .filter(({ slot }) => slot === "w_home")
    .map(({ slot, data, texts }, index) => ({
      id: String(index),
      groupName: slot,
      title: texts[lang].title,
      text: texts[lang].text,
      alt: texts[lang].alt,
      image: data.image,
      url: data.url,
      linkageType: data.linkageType as Banner["linkageType"],
    }));
}

function sampleNotices(lang: Lang): NoticeTitle[] {
  return notices
    .slice(0, latest)
    .map(({ texts }, index) => ({ id: String(index), title: texts[lang].title }));
}

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
      dialingCode: "63",
    },
    status: 0,
    switches: { COMM3: true, DIRECTREG3: true, USERNAMEREG3: true },
    phoneService: null,
    links: { service: null, social: [] },
    games: items,
    hot: items,
    newGames: items.filter(({ isNew }) => isNew),
    jackpotGames: items.filter(({ jackpot }) => jackpot),
    banners: sampleBanners(lang),
    notices: sampleNotices(lang),
    menus: ["RNG", "BINGO", "HOT"].map((gameCategory) => ({
      gameCategory,
      vendors: [],
      labels: {},
    })),
    centers: ["RNG", "HOT", "BINGO"],
    analyticsId: null,
    imageCDNs: [],
    minimumAge: 21,
  };
}
