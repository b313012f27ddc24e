import type { Multiple } from "@/lib/fair/games/multiple";
import type { Units } from "@/lib/money/money";
import type tableWords from "@/locales/en/games/table.json";

import type { Action, Choice, GameEvent, GameRound, Theme } from "../protocol";
import type { Canvas } from "./canvas";
import type { Plate } from "./palette";
import type { Sound } from "./sound";
import type { FrameText } from "./text";

/** The words that every table has. */
export type TableKey = keyof typeof tableWords;

/** A line of the panel: what it is called and what it says now. */
export type Fact = { name: string; value: string; hint?: string };

/** How a round ended for the player: `back` is less than or as much as was staked. */
export type Ending = "won" | "back" | "lost";

/** What a game shows of a round in few words: on the chip of the history, and to a screen reader. */
export type Telling = { chip: string; said: string };

/** What the table hands to a game. */
export type Seat<C extends Choice = Choice, K extends string = string> = {
  readonly text: FrameText<K | TableKey>;
  readonly lang: string;
  readonly sound: Sound;
  /** The part of the stage that nothing covers: for what the game draws, and for its buttons. */
  readonly room: HTMLElement;
  /** Below the result, over the canvas: for a scale or a row of pockets. */
  readonly foot: HTMLElement;
  /** The pool that the game feeds, as it stands; null where there is none. */
  readonly jackpot: () => string | null;
  readonly choice: () => C;
  readonly choose: (choice: C) => void;
  /** The stake as it is set now, when it is an amount. */
  readonly stake: () => Units | null;
  /** The round that waits for the player, if one does. */
  readonly round: () => GameRound | null;
  /** Does the next step of the open round. */
  readonly act: (action: Action) => void;
  /** The table plays by itself: nothing may wait for the player. */
  readonly isAuto: () => boolean;
  /** Turns the main button into something to do while a result is shown, until it is done or shown. */
  readonly offer: (label: string, action: () => void) => void;
  readonly money: (text: string) => string;
  readonly times: (multiplier: string) => string;
  readonly percent: (text: string) => string;
};

/** What shows a game. The events of a book are played in order, each finished before the next one. */
export type Scene<C extends Choice = Choice, E extends GameEvent = GameEvent> = {
  on: {
    [T in E["type"]]: (event: Extract<E, { type: T }>, round: GameRound) => Promise<void> | void;
  };
  /** The player changed the choice, between rounds. */
  choose?: (choice: C) => void;
  /** The bet is on its way. */
  wait?: () => void;
  /** The bet was taken: the book follows. */
  begin?: (round: GameRound) => void;
  /** It is the player's turn in an open round; null when it is not. */
  turn?: (round: GameRound | null) => void;
  /** The round is over and its payout is told. */
  end?: (ending: Ending, round: GameRound) => Promise<void> | void;
  /** A bet or a step was refused: back to how it was. */
  rest?: () => void;
  paint?: (theme: Theme) => void;
  /** The pool moved. */
  jackpot?: (amount: string) => void;
  /** Keys that do something here, by `KeyboardEvent.key`. */
  keys?: Readonly<Record<string, () => void>>;
  destroy?: () => void;
};

/** A game as its own file describes it; everything else is done by the table. */
export type Game<
  C extends Choice = Choice,
  E extends GameEvent = GameEvent,
  K extends string = string,
> = {
  /** What a new player's choice is. */
  choice: C;
  words: {
    /** The name of the stage, for screen readers. */
    stage: K;
    /** The main button, and what it says while the result is awaited. */
    play: K;
    busy: K;
    /** What the main button says while a round is open and nothing is won yet. */
    turn?: K;
    /** The rules, one paragraph each. */
    rules: readonly K[];
    /** The keys of this game, beside those of every table. */
    keys?: K;
  };
  /** True when a round has steps: it has no auto-play, and its choice is fixed until it is over. */
  steps?: boolean;
  /** The elements with which the choice is made. */
  controls?: (seat: Seat<C, K>) => Controls<C>;
  /** What the bet as it is set is worth. */
  facts?: (seat: Seat<C, K>, choice: C) => readonly Fact[];
  /** The most that a stake can be multiplied with: a bet that could win too much is told before it is made. */
  most?: (choice: C) => Multiple;
  /** What exactly this choice pays back on average, where choices differ in it. */
  returns?: (choice: C) => Multiple;
  /** Why the choice cannot be played, in words. */
  problem?: (seat: Seat<C, K>, choice: C) => string | null;
  /** What pays how much: rows of the rules sheet. */
  paytable?: (seat: Seat<C, K>, choice: C) => readonly (readonly [what: string, pays: string])[];
  /** More for the rules sheet, where rows of words do not do: pictures of symbols, for example. */
  sheet?: (seat: Seat<C, K>) => readonly Node[];
  /** What the history and the live region say of a round that is over. */
  tell: (seat: Seat<C, K>, round: GameRound) => Telling;
  /** The light of the panes behind the game. */
  plate?: Plate;
  /** Draws the game. */
  scene: (canvas: Canvas, seat: Seat<C, K>) => Scene<C, E> | Promise<Scene<C, E>>;
  /** Shows the game where the device cannot draw; without it the result stands there as text. */
  plain?: (seat: Seat<C, K>) => Scene<C, E>;
};

/** The controls of a choice, and how they follow it. */
export type Controls<C extends Choice> = {
  views: readonly HTMLElement[];
  show: (choice: C) => void;
};

/** Checks a game's types against each other; the table takes it whatever its choice and events are. */
export function defineGame<C extends Choice, E extends GameEvent, K extends string>(
  game: Game<C, E, K>,
): Game {
  return game as unknown as Game;
}
