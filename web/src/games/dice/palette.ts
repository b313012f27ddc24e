import type { Theme } from "../protocol";

/** Colours of the drawn stage; the DOM around it takes its own from CSS. */
export type Palette = {
  ground: number;
  cold: number;
  warm: number;
  plaque: string;
  plaqueWon: string;
  ink: string;
  win: number;
  lose: number;
};

export const palettes: Readonly<Record<Theme, Palette>> = {
  dark: {
    ground: 0x04100d,
    cold: 0x1f5c54,
    warm: 0xffbe52,
    plaque: "rgb(7 21 17 / 0.9)",
    plaqueWon: "rgb(6 58 33 / 0.94)",
    ink: "#f6f2e7",
    win: 0x63dd8c,
    lose: 0xf0675a,
  },
  light: {
    ground: 0xd9d6c8,
    cold: 0xa9cbc2,
    warm: 0xf3b548,
    plaque: "rgb(253 252 247 / 0.94)",
    plaqueWon: "rgb(214 245 222 / 0.96)",
    ink: "#10231f",
    win: 0x2fa862,
    lose: 0xd9483b,
  },
};
