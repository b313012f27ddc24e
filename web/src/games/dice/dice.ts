import "./controls.css";
import "./dice.css";

import { rollText } from "@/lib/fair/dice";
import { formatMoney, moneyText, moneyUnits } from "@/lib/money/money";

import { playBook } from "../frame/book";
import { applyTheme, el } from "../frame/dom";
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
  /** What is left between the recent rolls and the result: the number stands in it, so nothing covers it. */
  private readonly room = el("div", { class: "room" });
  private readonly result = el("p", { class: "result" });
  private readonly said = el("p", { class: "said", "aria-live": "polite" });
  private stage: Stage | null = null;
  private balance: InitMessage["balance"];
  private rolling = false;

  constructor(
    private readonly init: InitMessage,
    private readonly link: Link,
  ) {
    this.text = frameText<DiceKey>(init.messages);
    this.balance = init.balance;
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
      .then(({ pixiStage }) => pixiStage(this.canvas, this.room, theme))
      .catch(() => domStage(this.canvas, this.room));
    this.stage.choose(this.controls.bet.choice);
    this.link.listen({
      balance: (balance) => this.setBalance(balance),
      theme: (next) => {
        applyTheme(next);
        this.stage?.paint(next);
      },
      sound: (on) => this.sound.set(on),
    });
    document.addEventListener("keydown", this.onKey);
  }

  destroy(): void {
    document.removeEventListener("keydown", this.onKey);
    this.stage?.destroy();
    this.sound.close();
    this.view.remove();
  }

  private build(): HTMLElement {
    const stage = el(
      "section",
      { class: "stage" },
      el("h1", { class: "said" }, this.text("dice.stage")),
      this.canvas,
      this.history.view,
      this.room,
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

  private money(text: string): string {
    return formatMoney(text, this.init.currency, this.init.lang);
  }

  private async roll(): Promise<void> {
    if (this.rolling) return;
    if (this.controls.preview.problem !== null) return this.controls.focusStake();
    this.rolling = true;
    this.controls.setBusy(true);
    this.say("");
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
      payout: ({ amount }) => this.showPayout(rolled, round.stake, amount),
    });
    this.link.shown(outcome.requestId);
  }

  /** A win is told as the gain, which the player has more, and the payout, which came back in all. */
  private showPayout(rolled: string, stake: string, amount: string): void {
    if (moneyUnits(amount) === 0n) {
      this.say("lost", this.text("dice.lost"));
      this.said.textContent = this.text("dice.lost_said", rolled);
      return;
    }
    const gain = this.money(moneyText(moneyUnits(amount) - moneyUnits(stake)));
    const payout = this.money(amount);
    this.say("won", el("strong", {}, `+${gain}`), this.text("dice.won", payout));
    this.said.textContent = this.text("dice.won_said", rolled, gain, payout);
  }

  private say(kind: string, ...content: readonly (Node | string)[]): void {
    this.result.dataset["kind"] = kind;
    this.result.replaceChildren(...content);
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
