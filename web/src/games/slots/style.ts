import type { Sound } from "../frame/sound";
import type { Theme } from "../protocol";
import type { Joy } from "./count";
import type { Board } from "./layout";
import type { Drawing, Finish, SymbolArt } from "./pen";

/** By day or by night, and whether free spins run. */
export type Mood = { theme: Theme; free: boolean };

/** The colours of the grid in a mood. */
export type Tone = {
  /** Behind the places. */
  board: string;
  /** A place from above to below, and the lines of growth on it. */
  pane: readonly [string, string];
  ring: string;
  /** The frame around the grid from above to below, and its edge. */
  frame: readonly [string, string];
  edge: string;
  /** The light of wins. */
  glow: number;
  finish: Finish;
};

/** How reels turn, or how symbols fall. */
export type Turning = {
  way: "reels" | "drops";
  /** Down, or up. */
  direction: 1 | -1;
  /** Places in a second. */
  speed: number;
  /** How far a reel goes beyond its place before it rests. */
  over: number;
  /** Milliseconds between the stops of two reels. */
  gap: number;
};

/** Small things in the background: which bit, how many, and how they move. */
export type Drift = { bit: number; count: number; kind: "rise" | "fall" | "twinkle" | "sway" };

/** What a machine sounds like. */
export type Voices = {
  spin: (sound: Sound) => void;
  stop: (sound: Sound, reel: number) => void;
  /** A scatter lies there: the how-manieth it is. */
  scatter: (sound: Sound, count: number) => void;
  /** A win is lit: the how-manieth of this spin it is. */
  win: (sound: Sound, count: number) => void;
  fall: (sound: Sound, count: number) => void;
  /** One more scatter would give free spins. */
  hope: (sound: Sound) => void;
  free: (sound: Sound) => void;
  /** A large win is counted up. */
  count: (sound: Sound, joy: Joy) => void;
  jackpot: (sound: Sound) => void;
};

/** The look and feel of a machine; its rules are elsewhere. */
export type Style = {
  art: readonly (SymbolArt | null)[];
  bits: readonly Drawing[];
  tone: (mood: Mood) => Tone;
  /** Paints all that lies behind and around the grid. */
  backdrop: (
    pen: CanvasRenderingContext2D,
    board: Board,
    width: number,
    height: number,
    mood: Mood,
  ) => void;
  turning: Turning;
  drift: Drift;
  voices: Voices;
};

/** The frame's theme stands on its root. */
export function currentTheme(): Theme {
  return document.documentElement.dataset["theme"] === "light" ? "light" : "dark";
}
