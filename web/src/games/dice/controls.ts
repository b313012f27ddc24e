import { type DiceChoice, rollText } from "@/lib/fair/dice";
import { formatDecimal, formatMoney, formatPercent, moneyText } from "@/lib/money/money";

import { el } from "../frame/dom";
import type { FrameText } from "../frame/text";
import {
  type Bet,
  type Limits,
  type Preview,
  type StakeStep,
  allowedTarget,
  parseTarget,
  preview,
  stepStake,
  turned,
} from "./bet";
import type { DiceKey } from "./messages";
import { type Track, makeTrack } from "./track";

type Options = {
  text: FrameText<DiceKey>;
  lang: string;
  currency: string;
  /** Read at every change: the balance moves. */
  limits: () => Limits;
  onChange: (choice: DiceChoice) => void;
  onRoll: () => void;
};

/** Halved and brought inside the limits, this is the first stake that a player sees. */
const FIRST_STAKE = "20";
const STEPS: readonly StakeStep[] = ["half", "double", "min", "max"];
const PROBLEMS = {
  amount: "dice.amount",
  decimals: "dice.decimals",
  low: "dice.low",
  high: "dice.high",
  funds: "dice.funds",
  payout: "dice.payout_limit",
} as const;

/** Signs that need no words; a screen reader gets the words too. */
const STEP_MARKS: Partial<Record<StakeStep, string>> = { half: "½", double: "2×" };

function stepLabel(step: StakeStep, name: string): (Node | string)[] {
  const mark = STEP_MARKS[step];
  return mark ? [mark, " ", el("span", { class: "said" }, name)] : [name];
}

/** The player's side of the game: plain DOM, so that keyboard and screen reader work as everywhere. */
export class Controls {
  readonly panel: HTMLElement;
  readonly track: Track;
  bet: Bet;
  private readonly stake = el("input", {
    id: "stake",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 16,
    "aria-describedby": "stake-problem",
  });
  private readonly target = el("input", {
    id: "target",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 5,
  });
  private readonly sides = {
    under: el("button", { type: "button", class: "side" }),
    over: el("button", { type: "button", class: "side" }),
  };
  private readonly problem = el("p", { id: "stake-problem", class: "problem", role: "status" });
  private readonly facts = {
    chance: el("dd"),
    multiplier: el("dd"),
    payout: el("dd"),
    returned: el("dd"),
  };
  private readonly roll = el("button", { type: "button", class: "roll" });
  private readonly balance = el("span", { class: "balance" });
  private busy = false;

  constructor(private readonly options: Options) {
    const { text } = options;
    this.bet = {
      stake: stepStake(FIRST_STAKE, "half", options.limits()),
      choice: { target: 5000, direction: "under" },
    };
    this.track = makeTrack(text("dice.target_slider"), (target) =>
      this.choose({ ...this.bet.choice, target }),
    );
    this.panel = this.build();
    this.listen();
    this.stake.value = this.bet.stake;
    this.show();
  }

  get preview(): Preview {
    return preview(this.bet, this.options.limits());
  }

  /** The balance or a text around the bet changed. */
  refresh(): void {
    this.show();
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    this.roll.setAttribute("aria-busy", String(busy));
    this.show();
  }

  focusStake(): void {
    this.stake.focus();
  }

  private build(): HTMLElement {
    const { text } = this.options;
    const steps = STEPS.map((step) => {
      const button = el(
        "button",
        { type: "button", class: "step" },
        ...stepLabel(step, text(`dice.${step}`)),
      );
      button.addEventListener("click", () =>
        this.setStake(stepStake(this.stake.value, step, this.options.limits())),
      );
      return button;
    });
    const fact = (key: DiceKey, value: HTMLElement, hint?: string) =>
      el("div", { class: "fact", title: hint }, el("dt", {}, text(key)), value);
    this.sides.under.append(text("dice.under"));
    this.sides.over.append(text("dice.over"));
    return el(
      "section",
      { class: "controls" },
      el(
        "div",
        { class: "field" },
        el(
          "div",
          { class: "row" },
          el("label", { for: "stake" }, text("dice.stake")),
          this.balance,
        ),
        el("div", { class: "stake" }, this.stake, el("div", { class: "steps" }, ...steps)),
        this.problem,
      ),
      el(
        "div",
        { class: "pair" },
        el(
          "div",
          { class: "field", role: "group", "aria-label": text("dice.side") },
          el("span", { class: "label", "aria-hidden": "true" }, text("dice.side")),
          el("div", { class: "sides" }, this.sides.under, this.sides.over),
        ),
        el(
          "div",
          { class: "field narrow" },
          el("label", { for: "target" }, text("dice.target")),
          this.target,
        ),
      ),
      el(
        "dl",
        { class: "facts" },
        fact("dice.chance", this.facts.chance),
        fact("dice.multiplier", this.facts.multiplier),
        fact("dice.payout", this.facts.payout),
        fact("dice.return", this.facts.returned, text("dice.return_hint")),
      ),
      this.roll,
      el("p", { class: "hint" }, text("dice.hint")),
    );
  }

  private listen(): void {
    const { onRoll } = this.options;
    this.stake.addEventListener("input", () => this.setStake(this.stake.value, false));
    this.target.addEventListener("change", () => this.typeTarget());
    for (const input of [this.stake, this.target]) {
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        if (input === this.target) this.typeTarget();
        onRoll();
      });
    }
    this.sides.under.addEventListener("click", () => this.turnTo("under"));
    this.sides.over.addEventListener("click", () => this.turnTo("over"));
    this.roll.addEventListener("click", onRoll);
  }

  private setStake(stake: string, write = true): void {
    this.bet = { ...this.bet, stake: stake.trim().replace(",", ".") };
    if (write) this.stake.value = this.bet.stake;
    this.show();
  }

  private typeTarget(): void {
    const typed = parseTarget(this.target.value);
    this.choose({ ...this.bet.choice, target: typed ?? this.bet.choice.target });
  }

  private turnTo(direction: DiceChoice["direction"]): void {
    if (this.bet.choice.direction !== direction) this.choose(turned(this.bet.choice));
  }

  private choose({ target, direction }: DiceChoice): void {
    this.bet = { ...this.bet, choice: { target: allowedTarget(target, direction), direction } };
    this.show();
    this.options.onChange(this.bet.choice);
  }

  private show(): void {
    const { text, lang, currency, limits } = this.options;
    const { choice } = this.bet;
    const { chance, multiplier, payout, returned, problem } = this.preview;
    this.balance.textContent = text(
      "dice.balance",
      formatMoney(moneyText(limits().balance), currency, lang),
    );
    this.target.value = rollText(choice.target);
    this.track.show(choice, text(choice.direction === "under" ? "dice.under" : "dice.over"));
    this.sides.under.setAttribute("aria-pressed", String(choice.direction === "under"));
    this.sides.over.setAttribute("aria-pressed", String(choice.direction === "over"));
    this.facts.chance.textContent = formatPercent(chance, lang, 2);
    this.facts.multiplier.textContent = `${formatDecimal(multiplier, lang, 2)}×`;
    this.facts.payout.textContent = payout === null ? "–" : formatMoney(payout, currency, lang);
    this.facts.returned.textContent = returned === null ? "–" : formatPercent(returned, lang, 2);
    this.problem.textContent = problem
      ? text(PROBLEMS[problem], this.limitText(problem, limits()))
      : "";
    this.stake.setAttribute("aria-invalid", String(problem !== null));
    this.roll.textContent = this.busy ? text("dice.rolling") : text("dice.roll");
    this.roll.setAttribute("aria-disabled", String(this.busy || problem !== null));
  }

  private limitText(problem: keyof typeof PROBLEMS, limits: Limits): string {
    const amount = {
      low: limits.minStake,
      high: limits.maxStake,
      funds: limits.balance,
      payout: limits.maxPayout,
      amount: 0n,
      decimals: 0n,
    }[problem];
    return formatMoney(moneyText(amount), this.options.currency, this.options.lang);
  }
}
