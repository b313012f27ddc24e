import type { Key } from "@/lib/i18n/i18n";
import { type Said, said } from "./said";

/** The symbols of the machines by their numbers; a number that no reel has is left out. */
const symbols: Readonly<Record<string, readonly (Key | null)[]>> = {
  reef: [
    "told.reef_pearl",
    "told.reef_shell",
    "told.reef_turtle",
    "told.reef_octopus",
    "told.reef_fish",
    "told.reef_crab",
    "told.reef_jellyfish",
    "told.reef_starfish",
    "told.reef_coral",
    "told.reef_kelp",
  ],
  windows: [
    "told.windows_parol",
    "told.windows_moon",
    "told.windows_window",
    "told.windows_guitar",
    "told.windows_fan",
    "told.windows_jar",
    "told.windows_gumamela",
    "told.windows_butterfly",
    "told.windows_candle",
    "told.windows_key",
  ],
  sari: [
    "told.sari_jeepney",
    null,
    "told.sari_mango",
    "told.sari_pineapple",
    "told.sari_coconut",
    "told.sari_banana",
    "told.sari_calamansi",
    "told.sari_watermelon",
  ],
  fiesta: [
    "told.fiesta_sun",
    "told.fiesta_church",
    "told.fiesta_masks",
    "told.fiesta_rooster",
    "told.fiesta_drum",
    "told.fiesta_trumpet",
    "told.fiesta_iskrambol",
    "told.fiesta_balloon",
  ],
};

/** A symbol's name; its number where it has none. */
export function tellSymbol(game: string, symbol: number): Said {
  const key = symbols[game]?.[symbol];
  return key ? said(key) : said("told.plain", symbol);
}
