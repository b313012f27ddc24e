import "./slots.css";

import type { Machine } from "@/lib/fair/games/slots";
import { type Units, moneyText, moneyUnits } from "@/lib/money/money";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import type { Scene } from "../frame/game";
import type { GameRound, Theme } from "../protocol";
import {
  type Grid,
  type Lit,
  type Place,
  type Show,
  type SlotEvent,
  type Stand,
  readBook,
} from "./book";
import { COUNT_MS, counted, joyOf } from "./count";
import { Head } from "./head";
import { teasedReels } from "./layout";
import { firstGrid, howItPays } from "./machine";
import { Stage } from "./stage";
import { type Style, type Voices, currentTheme } from "./style";
import { tellReels } from "./tell";
import type { NoChoice, SlotSeat } from "./words";

/** How the player wants machines to be shown. */
export type Settings = { isQuick: boolean };

/** Milliseconds: before the first reel stops, before a reel that is hoped for, and for all wins of one stand. */
const FIRST_STOP = 260;
const HOPE = 900;
const WINS = 2600;
/** How long a free spin stands there where nothing moves. */
const STILL = 500;
const BITS = { nothing: 0, back: 0, win: 0, big: 60, huge: 130 } as const;

/** Shows the rounds of a machine: turns what happened into what is seen, heard and read. */
export class SlotScene implements Scene<NoChoice, SlotEvent> {
  private readonly stage: Stage;
  private readonly head: Head;
  private readonly reels = el("ul", { class: "said" });
  private readonly said = el("p", { class: "said", "aria-live": "polite" });
  private show: Show | null = null;
  /** The turn that the next spin of the book is. */
  private next = 0;
  private won: Units = 0n;
  private stake: Units = 0n;
  private started: Promise<void> = Promise.resolve();
  /** The player wants the end of the whole round, not only of this spin. */
  private isSkipped = false;

  constructor(
    canvas: Canvas,
    private readonly seat: SlotSeat,
    private readonly machine: Machine,
    private readonly style: Style,
    private readonly settings: Settings,
  ) {
    this.head = new Head(seat, howItPays(machine, seat), () => this.stage?.pace ?? null);
    seat.room.append(this.head.view, this.reels, this.said);
    this.stage = new Stage(
      canvas,
      this.head.place,
      machine,
      style,
      currentTheme(),
      firstGrid(machine),
    );
    this.tellGrid(firstGrid(machine));
    seat.room.parentElement?.addEventListener("click", this.onTap);
  }

  readonly on: Scene<NoChoice, SlotEvent>["on"] = {
    spin: () => this.spin(),
    // Wins and falls are shown with the spin that they belong to.
    win: () => undefined,
    fall: () => undefined,
    free: ({ spins }) => this.beginFree(spins),
    most: () => this.head.announce(this.seat.text("slots.most"), "", 1600),
    jackpot: ({ won }, round) => (won ? this.jackpotWon(round.jackpot) : undefined),
    payout: ({ amount }) => this.pay(moneyUnits(amount)),
  };

  wait(): void {
    this.stage.pace.calm();
    this.stage.pace.isQuick = this.settings.isQuick;
    this.isSkipped = false;
    this.head.reset();
    this.voices?.spin(this.seat.sound);
    this.started = this.stage.start();
  }

  begin(round: GameRound): void {
    this.stake = moneyUnits(round.stake);
    this.show = readBook(round.book as readonly SlotEvent[], this.machine, this.stake);
    this.next = 0;
    this.won = 0n;
  }

  async rest(): Promise<void> {
    this.stage.pace.hurry();
    await this.started;
    this.stage.rest();
  }

  paint(theme: Theme): void {
    this.stage.paint(theme);
  }

  jackpot(amount: string): void {
    this.head.setPool(amount);
  }

  destroy(): void {
    this.seat.room.parentElement?.removeEventListener("click", this.onTap);
    this.stage.destroy();
    this.head.destroy();
  }

  /** A tap on the stage ends this spin; buttons on it keep their meaning. */
  private readonly onTap = (event: Event): void => {
    if (event.target instanceof Element && event.target.closest("button")) return;
    this.stage.pace.hurry();
  };

  /** Who is in a hurry does not want to hear thirty spins at the same moment. */
  private get voices(): Voices | null {
    return this.stage.pace.isHurried ? null : this.style.voices;
  }

  private readonly skip = (): void => {
    this.isSkipped = true;
    this.stage.pace.hurry();
  };

  private async spin(): Promise<void> {
    const turn = this.show?.turns[this.next];
    const { pace } = this.stage;
    this.next += 1;
    if (!turn) return;
    this.seat.offer(this.seat.text("slots.skip"), this.skip);
    if (turn.free !== null) {
      if (!this.isSkipped) pace.calm();
      this.head.showFree(turn.free, this.show?.freeSpins ?? 0);
      this.voices?.spin(this.seat.sound);
      this.started = this.stage.start();
    }
    this.head.showTimes(turn.stands[0]?.times ?? 1);
    await this.started;
    if (!pace.isStill) await pace.hold(FIRST_STOP);
    for (const [i, stand] of turn.stands.entries()) {
      if (i === 0) await this.land(stand.grid);
      await this.light(stand, this.machine.falls !== null);
      const after = turn.stands[i + 1];
      if (after) await this.fall(stand, after, i);
    }
    this.tellGrid(turn.stands.at(-1)?.grid ?? []);
    if (pace.isStill && turn.free !== null) await pace.hold(STILL);
    await this.count(turn.total, 200);
    if (turn.free !== null) await this.endFreeSpin(turn.free, turn.paid);
  }

  /** Stops one reel after the other; those that may bring free spins take their time. */
  private async land(grid: Grid): Promise<void> {
    const { scatter } = this.machine;
    const { pace } = this.stage;
    if (pace.isStill) return this.stage.lay(grid);
    const needed = scatter ? scatter.spins.findIndex((spins) => spins > 0) : 0;
    const isFree = this.show?.turns[this.next - 1]?.free !== null;
    const hoped = teasedReels(grid, isFree ? null : (scatter?.symbol ?? null), needed);
    const stops: Promise<void>[] = [];
    const seen = { scatters: 0 };
    for (const [i, symbols] of grid.entries()) {
      const isHoped = hoped[i] ?? false;
      if (isHoped) {
        await Promise.all(stops);
        this.stage.hope(i);
        this.voices?.hope(this.seat.sound);
      }
      if (i > 0) await pace.hold(isHoped ? HOPE : this.style.turning.gap);
      stops.push(this.stop(i, symbols, isHoped, isFree ? null : seen));
    }
    await Promise.all(stops);
  }

  /** Stops a reel. Scatters are counted as they come, but in free spins, where they give nothing. */
  private async stop(
    i: number,
    symbols: readonly number[],
    isHoped: boolean,
    seen: { scatters: number } | null,
  ): Promise<void> {
    await this.stage.land(i, symbols, isHoped ? 1.6 : 1);
    this.stage.hope(null);
    this.voices?.stop(this.seat.sound, i);
    if (!seen) return;
    for (const [row, symbol] of symbols.entries()) {
      if (symbol !== this.machine.scatter?.symbol) continue;
      seen.scatters += 1;
      this.voices?.scatter(this.seat.sound, seen.scatters);
      this.stage.burst([i, row], 6);
    }
  }

  /** Lights wins up: all together, then one after the other, and leaves them lit. */
  private async light({ wins, times }: Stand, falls: boolean): Promise<void> {
    const { stage, seat } = this;
    this.head.showTimes(times);
    if (wins.length === 0) return;
    const sum = wins.reduce((all, { amount }) => all + amount, 0n);
    const all = seat.money(moneyText(sum));
    const counting = this.count(this.won + sum, Math.min(900, 250 + 150 * wins.length));
    this.voices?.win(seat.sound, 0);
    stage.light(wins, all);
    for (const place of placesOf(wins)) if (falls) stage.burst(place, 1);
    await stage.pace.hold(wins.length === 1 ? 950 : 620);
    if (wins.length > 1 && !this.settings.isQuick && !stage.pace.isHurried) {
      const each = Math.max(240, Math.min(falls ? 450 : 800, WINS / wins.length));
      for (const [i, win] of wins.entries()) {
        stage.light([win], seat.money(moneyText(win.amount)));
        this.voices?.win(seat.sound, i + 1);
        await stage.pace.hold(each);
      }
      stage.light(wins, all);
    }
    await counting;
  }

  private async fall(from: Stand, to: Stand, number: number): Promise<void> {
    this.voices?.fall(this.seat.sound, number);
    await this.stage.fall(placesOf(from.wins), to.grid);
    await this.stage.pace.hold(120);
  }

  private async count(to: Units, ms: number): Promise<void> {
    const capped = this.show && to > this.show.payout ? this.show.payout : to;
    const from = this.won;
    this.won = capped;
    if (from === capped) return;
    await this.stage.pace.move(ms, (part) => this.head.showWin(counted(from, capped, part)));
  }

  private async beginFree(spins: number): Promise<void> {
    const { stage, seat } = this;
    if (!this.isSkipped) stage.pace.calm();
    this.said.textContent = seat.text("slots.gives", spins);
    this.voices?.free(seat.sound);
    await stage.setFree(true);
    stage.rain(30);
    const { multiplier } = this.machine.scatter ?? { multiplier: 1 };
    const line = multiplier > 1 ? seat.text("slots.gives_times", multiplier) : "";
    await this.head.announce(seat.text("slots.gives", spins), line, 1700);
    stage.unlight();
  }

  private async endFreeSpin(spin: number, paid: Units): Promise<void> {
    const { text, money } = this.seat;
    const of = this.show?.freeSpins ?? 0;
    this.said.textContent =
      paid > 0n ? text("slots.said_free_spin", spin, of, money(moneyText(paid))) : "";
    await this.stage.pace.hold(180);
  }

  /** The jackpot is paid besides the round; its amount is known only where it was just won, not when it is shown again. */
  private async jackpotWon(amount: string | null): Promise<void> {
    const { stage, seat } = this;
    const title = seat.text("slots.jackpot_won");
    stage.pace.calm();
    this.voices?.jackpot(seat.sound);
    stage.rain(BITS.huge);
    if (amount === null) return this.head.announce(title, seat.text("slots.jackpot_paid"), 3000);
    const count = { to: moneyUnits(amount), ms: COUNT_MS.huge };
    await this.head.announce(title, "", 3000, count);
  }

  /** Ends free spins, and celebrates what is worth it. */
  private async pay(payout: Units): Promise<void> {
    const { stage, seat } = this;
    const joy = joyOf(payout, this.stake);
    const isLarge = joy === "big" || joy === "huge";
    if (!this.isSkipped) stage.pace.calm();
    if (isLarge) {
      this.voices?.count(seat.sound, joy);
      stage.rain(BITS[joy]);
      const title = seat.text(joy === "huge" ? "slots.huge" : "slots.big");
      await this.head.announce(title, "", 900, { to: payout, ms: COUNT_MS[joy] });
    } else if (this.show && this.show.freeSpins > 0) {
      const all = seat.money(moneyText(payout));
      await this.head.announce(seat.text("slots.free_over"), all, 1300);
    }
    await stage.setFree(false);
    this.head.settle();
    this.head.showWin(payout);
  }

  private tellGrid(grid: Grid): void {
    const lines = tellReels(grid, this.style, this.seat);
    this.reels.replaceChildren(...lines.map((line) => el("li", {}, line)));
  }
}

function placesOf(wins: readonly Lit[]): Place[] {
  return [
    ...new Map(wins.flatMap(({ places }) => places.map((one) => [one.join(), one]))).values(),
  ];
}
