import "./controls.css";
import "./dice.css";

import { rollText } from "@/lib/fair/dice";
import { formatMoney, moneyText, moneyUnits } from "@/lib/money/money";

import { playBook } from "../frame/book";
import { applyTheme, el, icon } from "../frame/dom";
import type { Link, Outcome } from "../frame/link";
import { Sound } from "../frame/sound";
import { type FrameText, frameText } from "../frame/text";
import type { InitMessage, Theme } from "../protocol";
import type { Limits } from "./bet";
import { Controls } from "./controls";
import { domStage } from "./dom-stage";
import { History } from "./history";
import type { DiceKey } from "./messages";
import type { Stage } from "./stage";

const SOUND_ON = "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11";
const SOUND_OFF = "M4 9v6h4l5 4V5L8 9zM16 9l5 6M21 9l-5 6";

/** Builds the game into its element. */
export async function mount(
  root: HTMLElement,
  init: InitMessage,
  link: Link,
): Promise<{ destroy: () => void }> {
  const game = new Dice(init, link);
  root.append(game.view);
  await game.open(init.theme);
  return game;
}

class Dice {
  readonly view: HTMLElement;
  private readonly text: FrameText<DiceKey>;
  private readonly controls: Controls;
  private readonly history: History;
  private readonly sound: Sound;
  private readonly canvas = el("div", { class: "canvas" });
  private readonly result = el("p", { class: "result" });
  private readonly said = el("p", { class: "said", "aria-live": "polite" });
  private readonly soundButton = el("button", { type: "button", class: "sound" });
  private stage: Stage | null = null;
  private balance: InitMessage["balance"];
  private soundOn: boolean;
  private rolling = false;

  constructor(
    private readonly init: InitMessage,
    private readonly link: Link,
  ) {
    this.text = frameText<DiceKey>(init.messages);
    this.balance = init.balance;
    this.soundOn = init.sound;
    this.sound = new Sound(init.sound);
    this.history = new History(this.text("dice.history"), (roll, won) =>
      this.text(won ? "dice.chip_won" : "dice.chip_lost", roll),
    );
    this.controls = new Controls({
      text: this.text,
      lang: init.lang,
      currency: init.currency,
      limits: () => this.limits(),
      onChange: (choice) => this.stage?.choose(choice),
      onRoll: () => void this.roll(),
    });
    this.view = this.build();
  }

  /** Starts the stage: drawn where WebGL works, else plain. */
  async open(theme: Theme): Promise<void> {
    this.stage = await import("./pixi-stage")
      .then(({ pixiStage }) => pixiStage(this.canvas, theme))
      .catch(() => domStage(this.canvas));
    this.stage.choose(this.controls.bet.choice);
    this.link.listen({
      balance: (balance) => this.setBalance(balance),
      theme: (next) => {
        applyTheme(next);
        this.stage?.paint(next);
      },
      sound: (on) => this.setSound(on),
    });
    document.addEventListener("keydown", this.onKey);
    this.setSound(this.soundOn);
  }

  destroy(): void {
    document.removeEventListener("keydown", this.onKey);
    this.stage?.destroy();
    this.sound.close();
    this.view.remove();
  }

  private build(): HTMLElement {
    this.soundButton.setAttribute("aria-label", this.text("dice.sound"));
    this.soundButton.addEventListener("click", () => {
      this.setSound(!this.soundOn);
      this.link.sound(this.soundOn);
    });
    const stage = el(
      "section",
      { class: "stage" },
      el("h1", { class: "said" }, this.text("dice.stage")),
      this.canvas,
      el("div", { class: "top" }, this.history.view, this.soundButton),
      this.result,
      this.controls.track.view,
    );
    return el("main", { class: "dice" }, stage, this.controls.panel, this.said);
  }

  private limits(): Limits {
    const { minStake, maxStake, maxPayout } = this.init.limits;
    return {
      minStake: moneyUnits(minStake),
      maxStake: moneyUnits(maxStake),
      maxPayout: moneyUnits(maxPayout),
      balance: moneyUnits(this.balance.balance),
    };
  }

  private setBalance(balance: InitMessage["balance"]): void {
    this.balance = balance;
    this.controls.refresh();
  }

  private setSound(on: boolean): void {
    this.soundOn = on;
    this.sound.set(on);
    this.soundButton.setAttribute("aria-pressed", String(on));
    this.soundButton.replaceChildren(icon(on ? SOUND_ON : SOUND_OFF));
  }

  private money(text: string): string {
    return formatMoney(text, this.init.currency, this.init.lang);
  }

  private async roll(): Promise<void> {
    if (this.rolling) return;
    if (this.controls.preview.problem !== null) return this.controls.focusStake();
    this.rolling = true;
    this.controls.setBusy(true);
    this.say("", "");
    this.stage?.spin();
    this.sound.tick();
    const { stake, choice } = this.controls.bet;
    const outcome = await this.link.play(moneyText(moneyUnits(stake)), choice);
    await this.showOutcome(outcome);
    this.rolling = false;
    this.controls.setBusy(false);
  }

  private async showOutcome(outcome: Outcome): Promise<void> {
    if (outcome.kind === "refused") {
      this.stage?.rest();
      this.say("refused", outcome.text);
      this.said.textContent = outcome.text;
      return;
    }
    const { round } = outcome;
    let rolled = "";
    await playBook(round.book, {
      roll: async ({ roll, won }) => {
        rolled = rollText(roll);
        await Promise.all([this.stage?.land(roll, won), this.controls.track.mark(roll, won)]);
        this.history.add(roll, won);
        if (won) this.sound.win();
        else this.sound.lose();
      },
      payout: ({ amount }) => this.showPayout(rolled, amount),
    });
    this.link.shown(outcome.requestId);
  }

  private showPayout(rolled: string, amount: string): void {
    const won = moneyUnits(amount) > 0n;
    this.say(
      won ? "won" : "lost",
      won ? this.text("dice.won", this.money(amount)) : this.text("dice.lost"),
    );
    this.said.textContent = won
      ? this.text("dice.won_said", rolled, this.money(amount))
      : this.text("dice.lost_said", rolled);
  }

  private say(kind: string, text: string): void {
    this.result.dataset["kind"] = kind;
    this.result.textContent = text;
  }

  /** Space and Enter roll, unless they belong to the control that has the focus. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.repeat || (event.key !== " " && event.key !== "Enter")) return;
    const busy = event.target instanceof Element && event.target.closest("button, input, a");
    if (busy && !(event.target instanceof HTMLInputElement && event.target.type === "range"))
      return;
    event.preventDefault();
    void this.roll();
  };
}
