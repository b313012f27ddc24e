import {
  formatDecimal,
  formatMoney,
  formatPercent,
  moneyText,
  moneyUnits,
} from "@/lib/money/money";

import type { Choice, GameEvent, GameRound, InitMessage, Theme } from "../protocol";
import { type AutoPlan, AutoRun, type AutoStop, STOP_WORDS } from "./auto";
import { AutoSheet } from "./auto-sheet";
import { type Canvas, openCanvas } from "./canvas";
import { applyTheme, el, pause } from "./dom";
import type { Controls, Game, Scene, Seat, TableKey } from "./game";
import { History } from "./history";
import { keyAction } from "./keys";
import type { Link, Outcome } from "./link";
import { Panel } from "./panel";
import { plainScene } from "./plain";
import { Results } from "./results";
import { RulesSheet } from "./rules-sheet";
import { Sound } from "./sound";
import { StageView } from "./stage-view";
import { type Limits, limitsOf, parseStake, stakeProblem } from "./stake";
import { frameText } from "./text";

/** A breath between two rounds of auto-play: time to see the result, and to stop. */
const BETWEEN_MS = 450;

type Handler = (event: GameEvent, round: GameRound) => unknown;
type Offer = { label: string; action: () => void };

/** The table at which every game is played: stake, choice, rounds and their results. The game only shows. */
export class Table {
  readonly view: HTMLElement;
  private readonly seat: Seat;
  private readonly text;
  private readonly sound: Sound;
  private readonly stage: StageView;
  private readonly results: Results;
  private readonly panel: Panel;
  private readonly controls: Controls<Choice> | null;
  private readonly rules: RulesSheet;
  private readonly auto: AutoSheet | null;
  private canvas: Canvas | null = null;
  private scene: Scene = { on: {} };
  private choice: Choice;
  private balance: InitMessage["balance"];
  private jackpot: string | null;
  private busy = false;
  /** The round that waits for the player's next step. */
  private open: GameRound | null = null;
  /** How many events of the round were shown. */
  private seen = 0;
  private offer: Offer | null = null;
  private run: AutoRun | null = null;
  /** A round of earlier is shown: it is not one more of the recent ones. */
  private isReplay = false;

  constructor(
    private readonly game: Game,
    private readonly init: InitMessage,
    private readonly link: Link,
  ) {
    this.text = frameText<TableKey | string>(init.messages);
    this.balance = init.balance;
    this.choice = game.choice;
    this.jackpot = init.jackpot;
    this.sound = new Sound(init.sound);
    const help = el("button", { type: "button", class: "help" }, this.text("table.rules"));
    const history = new History(this.text);
    this.stage = new StageView(this.text(game.words.stage), history, [help]);
    this.seat = this.makeSeat();
    this.results = new Results(game, this.seat, this.stage, history);
    this.rules = new RulesSheet(game, this.seat, init);
    help.addEventListener("click", () => this.rules.open());
    const canAuto = init.autoPlay && !game.steps;
    this.auto = canAuto ? new AutoSheet(this.seat, (plan) => void this.playAuto(plan)) : null;
    this.controls = game.controls?.(this.seat) ?? null;
    this.panel = new Panel({
      text: this.text,
      lang: init.lang,
      currency: init.currency,
      limits: () => this.limits(),
      choice: this.controls?.views ?? [],
      onStake: () => this.refresh(),
      onPlay: () => this.press(),
      onAuto: this.auto && (() => this.openAuto()),
    });
    this.view = this.build();
    this.refresh();
  }

  /** Sets the stage: drawn where WebGL works, else plain. */
  async ready(): Promise<void> {
    const { game, seat, stage, init } = this;
    try {
      this.canvas = await openCanvas(stage.canvas, stage.room, init.theme, game.plate);
      this.scene = await game.scene(this.canvas, seat);
    } catch (error) {
      // Only a device that cannot draw is a reason to go on without: a fault of ours must be seen.
      if (this.canvas) throw error;
      stage.canvas.append(el("div", { class: "plain-lattice" }));
      this.view.classList.add("plain");
      this.scene = game.plain?.(seat) ?? plainScene(game, seat);
    }
    this.scene.choose?.(this.choice);
    this.listen();
    if (init.openRound) await this.resume(init.openRound);
    this.canvas?.wake();
  }

  destroy(): void {
    document.removeEventListener("keydown", this.onKey);
    this.run = null;
    this.scene.destroy?.();
    this.canvas?.destroy();
    this.sound.close();
    this.view.remove();
  }

  private build(): HTMLElement {
    const { game, auto } = this;
    const sheets = [this.rules.sheet, ...(auto ? [auto.sheet] : [])].map(({ view }) => view);
    const hint = [
      this.text("table.keys"),
      ...(game.words.keys ? [this.text(game.words.keys)] : []),
    ];
    this.panel.view.append(el("p", { class: "hint" }, hint.join(" ")));
    return el(
      "main",
      { class: "table", "data-game": this.init.game },
      this.stage.view,
      this.panel.view,
      this.stage.said,
      ...sheets,
    );
  }

  private listen(): void {
    this.link.listen({
      balance: (balance) => {
        this.balance = balance;
        this.refresh();
      },
      jackpot: (amount) => {
        this.jackpot = amount;
        this.scene.jackpot?.(amount);
      },
      resume: (round) => void this.resume(round),
      replay: (round) => void this.replay(round),
      theme: (theme) => this.paint(theme),
      sound: (on) => this.sound.set(on),
    });
    document.addEventListener("keydown", this.onKey);
  }

  private makeSeat(): Seat {
    const { init, text } = this;
    return {
      text,
      lang: init.lang,
      sound: this.sound,
      room: this.stage.room,
      foot: this.stage.foot,
      jackpot: () => this.jackpot,
      choice: () => this.choice,
      choose: (choice) => this.choose(choice),
      stake: () => parseStake(this.panel.stake),
      round: () => this.open,
      act: (action) => void this.act(action),
      isAuto: () => this.run !== null,
      offer: (label, action) => {
        this.offer = { label, action };
        this.refresh();
      },
      money: (amount) => formatMoney(amount, init.currency, init.lang),
      times: (multiplier) => `${formatDecimal(multiplier, init.lang, 2)}×`,
      percent: (value) => formatPercent(value, init.lang),
    };
  }

  private limits(): Limits {
    return limitsOf(this.init.limits, this.balance.balance);
  }

  private paint(theme: Theme): void {
    applyTheme(theme);
    this.canvas?.paint(theme);
    this.scene.paint?.(theme);
    this.canvas?.wake();
  }

  /** A change during a round waits for its end: the stage still shows the bet that was made. */
  private choose(choice: Choice): void {
    if (this.open) return;
    this.choice = choice;
    if (!this.busy) this.scene.choose?.(choice);
    this.refresh();
    this.canvas?.wake();
  }

  private problems(): { stake: ReturnType<typeof stakeProblem>; choice: string | null } {
    const most = this.game.most?.(this.choice) ?? null;
    return {
      stake: stakeProblem(this.panel.stake, this.limits(), most),
      choice: this.game.problem?.(this.seat, this.choice) ?? null,
    };
  }

  /** Brings the panel in line with everything that may have changed. */
  private refresh(): void {
    const { game, open } = this;
    const { stake, choice } = this.problems();
    const facts = game.facts?.(this.seat, this.choice) ?? [];
    this.controls?.show(this.choice);
    // The bet of an open round is made: nothing about it can be wrong.
    this.panel.show(facts, open ? null : stake, open ? null : choice);
    this.panel.lock(open !== null);
    this.panel.showAuto(!this.busy && !this.run);
    this.showButton(stake !== null || choice !== null);
  }

  private showButton(off: boolean): void {
    const { panel, text, open, run, game, busy, offer } = this;
    const words = game.words;
    const units = parseStake(panel.stake);
    // Whoever lets the table play must always be able to stop it: nothing is offered then.
    if (run) return panel.showButton({ label: text("table.auto_stop", run.left) });
    if (offer) return panel.showButton({ label: offer.label });
    if (busy) return panel.showButton({ label: text(words.busy), busy });
    if (open?.cashOut) {
      const cost = this.seat.money(open.cashOut);
      return panel.showButton({ label: text("table.cash_out"), cost });
    }
    if (open) return panel.showButton({ label: text(words.turn ?? words.busy), off: true });
    const cost = units === null ? "" : this.seat.money(moneyText(units));
    return panel.showButton({ label: text(words.play), cost, off });
  }

  /** The main button: whatever it says at the moment. */
  private press(): void {
    const { offer, open } = this;
    if (this.run) return this.endAuto();
    if (offer) {
      this.offer = null;
      this.refresh();
      return offer.action();
    }
    if (this.busy) return;
    if (open?.cashOut) return void this.act("cashOut");
    if (!open) void this.play();
  }

  /** Plays one round, or its first step; how it ended, or null when it was not played. */
  private async play(): Promise<GameRound | null> {
    const { stake, choice } = this.problems();
    if (stake !== null) this.panel.focusStake();
    if (stake !== null || choice !== null) return null;
    this.begin();
    this.stage.say("");
    this.scene.wait?.();
    this.sound.tick();
    const amount = moneyText(moneyUnits(this.panel.stake));
    const outcome = await this.link.play(amount, this.choice);
    this.seen = 0;
    if (outcome.kind === "book") this.scene.begin?.(outcome.round);
    return this.follow(outcome);
  }

  private async act(action: Parameters<Link["act"]>[1]): Promise<void> {
    const { open } = this;
    if (!open || this.busy) return;
    this.begin();
    await this.follow(await this.link.act(open, action));
  }

  private begin(): void {
    this.busy = true;
    this.scene.turn?.(null);
    this.refresh();
  }

  /** Shows what a request led to. A refused step leaves the table as it was. */
  private async follow(outcome: Outcome): Promise<GameRound | null> {
    if (outcome.kind === "refused") {
      this.scene.rest?.();
      this.stage.say("refused", outcome.text);
      this.stage.said.textContent = outcome.text;
      this.settle(this.open);
      return null;
    }
    const { round, requestId } = outcome;
    await this.show(round);
    this.link.shown(requestId);
    this.settle(round.state === "open" ? round : null);
    return round;
  }

  private async show(round: GameRound): Promise<void> {
    const fresh = round.book.slice(this.seen);
    this.seen = round.book.length;
    for (const event of fresh) await this.showEvent(event, round);
    if (round.state !== "over") return;
    const ending = this.results.tell(round, this.isReplay);
    await this.scene.end?.(ending, round);
  }

  private async showEvent(event: GameEvent, round: GameRound): Promise<void> {
    const handlers = this.scene.on as Record<string, Handler>;
    await handlers[event.type]?.(event, round);
    this.offer = null;
  }

  /** The table is free again, or waits for the next step of a round. */
  private settle(open: GameRound | null): void {
    this.open = open;
    this.busy = false;
    if (!open) this.scene.choose?.(this.choice);
    this.scene.turn?.(open);
    this.refresh();
    this.canvas?.wake();
  }

  /** A round that was begun earlier, or that moved on elsewhere: shown as it stands, without motion. */
  private async resume(round: GameRound | null): Promise<void> {
    if (this.busy || (!round && !this.open)) return;
    if (!round) return this.settle(null);
    const stop = this.canvas?.skip();
    this.sound.hushed = true;
    this.busy = true;
    this.choice = round.choice;
    this.scene.choose?.(round.choice);
    this.scene.begin?.(round);
    this.seen = 0;
    await this.show(round);
    this.sound.hushed = false;
    stop?.();
    this.panel.stake = round.stake;
    if (round.state === "open") this.stage.say("open", this.text("table.resumed"));
    this.settle(round.state === "open" ? round : null);
  }

  /** A round of earlier once more, as it was shown then. Only a table that is free shows it. */
  private async replay(round: GameRound): Promise<void> {
    if (this.busy || this.open || this.run || round.state !== "over") return;
    this.begin();
    this.isReplay = true;
    this.choice = round.choice;
    this.scene.choose?.(round.choice);
    const text = this.text("table.replay", this.seat.money(round.stake));
    this.stage.say("open", text);
    this.stage.said.textContent = text;
    this.scene.begin?.(round);
    this.seen = 0;
    await this.show(round);
    this.isReplay = false;
    this.settle(null);
  }

  private openAuto(): void {
    const { stake, choice } = this.problems();
    if (this.busy || this.run) return;
    if (stake !== null) return this.panel.focusStake();
    if (choice === null) this.auto?.open();
  }

  private async playAuto(plan: AutoPlan): Promise<void> {
    const run = new AutoRun(plan);
    this.run = run;
    let stop: AutoStop | null = run.mayStake(parseStake(this.panel.stake) ?? 0n) ? null : "loss";
    while (stop === null && this.run === run) {
      const round = await this.play();
      stop = round ? run.after(round) : "refused";
      this.refresh();
      if (stop === null) await pause(BETWEEN_MS);
    }
    if (this.run === run) this.run = null;
    this.stage.said.textContent += ` ${this.text(STOP_WORDS[stop ?? "asked"])}`;
    this.refresh();
  }

  private endAuto(): void {
    this.run = null;
    this.refresh();
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event, this.busy ? {} : (this.scene.keys ?? {}), () => this.press());
    if (!action) return;
    event.preventDefault();
    action();
  };
}
