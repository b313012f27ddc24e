import { formatMoney, moneyText } from "@/lib/money/money";

import { el } from "./dom";
import type { Fact, TableKey } from "./game";
import { type Limits, STAKE_STEPS, type StakeProblem, type StakeStep, stepStake } from "./stake";
import type { FrameText } from "./text";

type Options = {
  text: FrameText<TableKey>;
  lang: string;
  currency: string;
  /** Read at every change: the balance moves. */
  limits: () => Limits;
  /** The controls of the game's choice. */
  choice: readonly HTMLElement[];
  onStake: () => void;
  onPlay: () => void;
  onAuto: (() => void) | null;
};

/** What the main button says and does. */
export type PlayButton = { label: string; cost?: string; busy?: boolean; off?: boolean };

/** Halved and brought inside the limits, this is the first stake that a player sees. */
const FIRST_STAKE = "20";
const PROBLEMS = {
  amount: "table.amount",
  decimals: "table.decimals",
  low: "table.low",
  high: "table.high",
  funds: "table.funds",
  payout: "table.payout_limit",
} as const;
const STEP_WORDS = {
  half: "table.half",
  double: "table.double",
  min: "table.min",
  max: "table.max",
} as const;
/** Signs that need no words; a screen reader gets the words too. */
const STEP_MARKS: Partial<Record<StakeStep, string>> = { half: "½", double: "2×" };

/** The player's side of the table: plain DOM, so that keyboard and screen reader work as everywhere. */
export class Panel {
  readonly view: HTMLElement;
  private readonly input = el("input", {
    id: "stake",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 16,
    "aria-describedby": "stake-problem",
  });
  private readonly stakeSet = el("fieldset", { class: "field" });
  private readonly choiceSet = el("fieldset", { class: "choices" });
  private readonly problem = el("p", { id: "stake-problem", class: "problem", role: "status" });
  private readonly choiceProblem = el("p", { class: "problem", role: "status" });
  private readonly facts = el("dl", { class: "facts" });
  private readonly button = el("button", { type: "button", class: "play" });
  private readonly auto: HTMLButtonElement | null;
  private readonly balance = el("span", { class: "balance" });

  constructor(private readonly options: Options) {
    const { text, onAuto, onPlay } = options;
    this.auto = onAuto && el("button", { type: "button", class: "step" }, text("table.auto"));
    this.auto?.addEventListener("click", () => onAuto?.());
    this.button.addEventListener("click", onPlay);
    this.view = this.build();
    this.input.value = stepStake(FIRST_STAKE, "half", options.limits());
    this.input.addEventListener("input", options.onStake);
    this.view.addEventListener("keydown", (event) => {
      const { target } = event;
      const typed = target instanceof HTMLInputElement && target.type === "text";
      if (typed && event.key === "Enter") onPlay();
    });
  }

  /** The stake as typed. */
  get stake(): string {
    return this.input.value.trim().replace(",", ".");
  }

  set stake(stake: string) {
    this.input.value = stake;
    this.options.onStake();
  }

  focusStake(): void {
    this.input.focus();
  }

  /** While a round is open, its stake and choice stand. */
  lock(locked: boolean): void {
    this.stakeSet.disabled = locked;
    this.choiceSet.disabled = locked;
  }

  show(facts: readonly Fact[], stake: StakeProblem | null, choice: string | null): void {
    const { text, lang, currency, limits } = this.options;
    const money = (units: bigint) => formatMoney(moneyText(units), currency, lang);
    const { minStake, maxStake, maxPayout, balance } = limits();
    const bound = { low: minStake, high: maxStake, funds: balance, payout: maxPayout } as const;
    this.balance.textContent = text("table.balance", money(balance));
    this.problem.textContent = stake
      ? text(PROBLEMS[stake], stake in bound ? money(bound[stake as keyof typeof bound]) : "")
      : "";
    this.choiceProblem.textContent = choice ?? "";
    this.input.setAttribute("aria-invalid", String(stake !== null));
    this.facts.hidden = facts.length === 0;
    this.facts.replaceChildren(
      ...facts.map(({ name, value, hint }) =>
        el("div", { class: "fact", title: hint }, el("dt", {}, name), el("dd", {}, value)),
      ),
    );
  }

  showButton({ label, cost, busy = false, off = false }: PlayButton): void {
    this.button.replaceChildren(label, ...(cost ? [" ", el("span", { class: "cost" }, cost)] : []));
    this.button.setAttribute("aria-busy", String(busy));
    this.button.setAttribute("aria-disabled", String(busy || off));
  }

  showAuto(on: boolean): void {
    this.auto?.setAttribute("aria-disabled", String(!on));
  }

  private build(): HTMLElement {
    const { text, choice } = this.options;
    this.stakeSet.append(
      el("div", { class: "row" }, el("label", { for: "stake" }, text("table.stake")), this.balance),
      el("div", { class: "stake" }, this.input, el("div", { class: "steps" }, ...this.steps())),
      this.problem,
    );
    this.choiceSet.append(...choice, this.choiceProblem);
    return el(
      "section",
      { class: "panel" },
      this.stakeSet,
      this.choiceSet,
      this.facts,
      el("div", { class: "plays" }, this.button, ...(this.auto ? [this.auto] : [])),
    );
  }

  private steps(): HTMLElement[] {
    return STAKE_STEPS.map((step) => {
      const name = this.options.text(STEP_WORDS[step]);
      const mark = STEP_MARKS[step];
      const label = mark ? [mark, " ", el("span", { class: "said" }, name)] : [name];
      const button = el("button", { type: "button", class: "step" }, ...label);
      button.addEventListener("click", () => {
        this.stake = stepStake(this.input.value, step, this.options.limits());
      });
      return button;
    });
  }
}
