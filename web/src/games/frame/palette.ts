import type { Theme } from "../protocol";

/** Colours of the drawn stage; the DOM around it takes its own from CSS. */
export type Palette = {
  /** Behind the panes, and the panes where no light falls and where it does. */
  ground: number;
  cold: number;
  warm: number;
  plaque: string;
  plaqueWon: string;
  ink: string;
  muted: string;
  win: number;
  lose: number;
  /** Mother-of-pearl and brass: what is worth something. */
  pearl: number;
  gold: number;
  /** Small things that must be seen against the panes. */
  line: number;
};

/** The colours of the shell panes: every game has its own light. */
export type Plate = Readonly<Record<Theme, Pick<Palette, "ground" | "cold" | "warm">>>;

const common: Readonly<Record<Theme, Omit<Palette, "ground" | "cold" | "warm">>> = {
  dark: {
    plaque: "rgb(7 21 17 / 0.9)",
    plaqueWon: "rgb(6 58 33 / 0.94)",
    ink: "#f6f2e7",
    muted: "#a9b3a6",
    win: 0x63dd8c,
    lose: 0xf0675a,
    pearl: 0xf4efe4,
    gold: 0xffbe52,
    line: 0xf4efe4,
  },
  light: {
    plaque: "rgb(253 252 247 / 0.94)",
    plaqueWon: "rgb(214 245 222 / 0.96)",
    ink: "#10231f",
    muted: "#566059",
    win: 0x2fa862,
    lose: 0xd9483b,
    pearl: 0xffffff,
    gold: 0xf0a92e,
    line: 0x3a4a44,
  },
};

/** Shallow water at dusk, with a lamp in it. */
export const lagoon: Plate = {
  dark: { ground: 0x04100d, cold: 0x1f5c54, warm: 0xffbe52 },
  light: { ground: 0xd9d6c8, cold: 0xa9cbc2, warm: 0xf3b548 },
};
/** The sky after sunset. */
export const night: Plate = {
  dark: { ground: 0x040b16, cold: 0x1c3f6e, warm: 0xffb45c },
  light: { ground: 0xcfd6dc, cold: 0xa8c0d8, warm: 0xf4b65a },
};
/** The sea above a reef. */
export const sea: Plate = {
  dark: { ground: 0x031014, cold: 0x0f5a6b, warm: 0x6fd6c2 },
  light: { ground: 0xcddcdc, cold: 0x9fcdd3, warm: 0x58b9ae },
};
/** Red glass. */
export const ruby: Plate = {
  dark: { ground: 0x14060a, cold: 0x7a1f35, warm: 0xff9d5c },
  light: { ground: 0xe3d3cf, cold: 0xe0aeb0, warm: 0xf08f5a },
};
/** Old brass. */
export const brass: Plate = {
  dark: { ground: 0x100c03, cold: 0x5f4a14, warm: 0xffce5a },
  light: { ground: 0xe0d8c2, cold: 0xd9c58c, warm: 0xf2b53c },
};
/** Orchids. */
export const orchid: Plate = {
  dark: { ground: 0x12060f, cold: 0x6d1f55, warm: 0xff9ec4 },
  light: { ground: 0xe2d4dc, cold: 0xdab0c9, warm: 0xe580b0 },
};
/** Young leaves. */
export const leaf: Plate = {
  dark: { ground: 0x050f06, cold: 0x2a5a2c, warm: 0xe8d95a },
  light: { ground: 0xd5dccb, cold: 0xb3cfa6, warm: 0xd6bf3e },
};

export function paletteOf(theme: Theme, plate: Plate = lagoon): Palette {
  return { ...common[theme], ...plate[theme] };
}

/** Blends two colours channel by channel. */
export function mix(one: number, two: number, share: number): number {
  const part = Math.min(1, Math.max(0, share));
  const channel = (bits: number) => {
    const [a, b] = [(one >> bits) & 255, (two >> bits) & 255];
    return Math.round(a + (b - a) * part) << bits;
  };
  return channel(16) | channel(8) | channel(0);
}

/** A colour for a 2D pen or for CSS. */
export function css(color: number, alpha = 1): string {
  const [r, g, b] = [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  return `rgb(${r} ${g} ${b} / ${alpha})`;
}
