import { PAYABLE, parseMoney } from "@/lib/money/money";

import { type AutoPlan, MOST_ROUNDS } from "./auto";
import { el } from "./dom";
import type { Seat } from "./game";
import { Sheet } from "./sheet";

const ROUNDS = [10, 25, 50, 100];

/** Asks how long to play by itself. Nothing starts without a number of rounds. */
export class AutoSheet {
  readonly sheet: Sheet;
  private readonly rounds = field("auto-rounds", "numeric");
  private readonly loss = field("auto-loss", "decimal");
  private readonly win = field("auto-win", "decimal");
  private readonly anyWin = el("input", { type: "checkbox", id: "auto-any" });
  private readonly problem = el("p", { class: "problem", role: "status" });

  constructor(
    private readonly seat: Seat,
    private readonly onStart: (plan: AutoPlan) => void,
  ) {
    const { text } = seat;
    this.sheet = new Sheet("auto", text("table.auto"), text("table.close"));
    this.rounds.value = String(ROUNDS[0]);
    this.loss.placeholder = this.win.placeholder = text("table.auto_none");
    this.sheet.body.append(this.form());
  }

  open(): void {
    this.problem.textContent = "";
    this.sheet.open();
  }

  private form(): HTMLFormElement {
    const { text } = this.seat;
    const quick = ROUNDS.map((rounds) => {
      const button = el("button", { type: "button", class: "step" }, String(rounds));
      button.addEventListener("click", () => {
        this.rounds.value = String(rounds);
      });
      return button;
    });
    const form = el(
      "form",
      { class: "auto", novalidate: true },
      labelled(text("table.auto_rounds"), this.rounds, el("div", { class: "steps" }, ...quick)),
      labelled(text("table.auto_loss"), this.loss),
      labelled(text("table.auto_win"), this.win),
      el("label", { class: "check", for: "auto-any" }, this.anyWin, text("table.auto_any")),
      this.problem,
      el("button", { type: "submit", class: "play" }, text("table.auto_start")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    return form;
  }

  private start(): void {
    const plan = readPlan({
      rounds: this.rounds.value,
      loss: this.loss.value,
      win: this.win.value,
      anyWin: this.anyWin.checked,
    });
    if (!plan) {
      this.problem.textContent = this.seat.text("table.auto_wrong", MOST_ROUNDS);
      return;
    }
    this.sheet.close();
    this.onStart(plan);
  }
}

/** The plan as typed; null when a field holds something else than it asks for. Empty limits are none. */
export function readPlan(typed: {
  rounds: string;
  loss: string;
  win: string;
  anyWin: boolean;
}): AutoPlan | null {
  const rounds = /^\d{1,4}$/.test(typed.rounds.trim()) ? Number(typed.rounds) : 0;
  const [loss, win] = [readLimit(typed.loss), readLimit(typed.win)];
  if (rounds < 1 || rounds > MOST_ROUNDS || loss === undefined || win === undefined) return null;
  return { rounds, loss, win, anyWin: typed.anyWin };
}

function readLimit(typed: string): bigint | null | undefined {
  const text = typed.trim().replace(",", ".");
  if (text === "") return null;
  const units = parseMoney(text);
  return units !== null && units > 0n && units % PAYABLE === 0n ? units : undefined;
}

function field(id: string, inputmode: string): HTMLInputElement {
  return el("input", { id, type: "text", inputmode, autocomplete: "off", maxlength: 16 });
}

function labelled(
  label: string,
  input: HTMLInputElement,
  ...more: readonly HTMLElement[]
): HTMLElement {
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input, ...more);
}
