import { percentText } from "@/lib/fair/games/multiple";

import type { InitMessage } from "../protocol";
import { el } from "./dom";
import type { Game, Seat } from "./game";
import { Sheet } from "./sheet";

/** Rules, payouts, return and keys of a game: everything that a player may want to know before staking. */
export class RulesSheet {
  readonly sheet: Sheet;

  constructor(
    private readonly game: Game,
    private readonly seat: Seat,
    private readonly init: InitMessage,
  ) {
    const { text } = seat;
    this.sheet = new Sheet("rules", text("table.rules"), text("table.close"));
  }

  open(): void {
    const { game, seat, init } = this;
    const { text, money, percent } = seat;
    const { minStake, maxStake, maxPayout } = init.limits;
    const keys = [text("table.keys"), ...(game.words.keys ? [text(game.words.keys)] : [])];
    this.sheet.body.replaceChildren(
      ...game.words.rules.map((key) => el("p", {}, text(key))),
      ...this.paytable(),
      ...(game.sheet?.(seat) ?? []),
      el("p", {}, text("table.return", percent(this.returned()))),
      el("p", {}, text("table.limits", money(minStake), money(maxStake), money(maxPayout))),
      el("p", { class: "muted" }, keys.join(" ")),
    );
    this.sheet.open();
  }

  /** The return of the choice as it is set; of the usual one where all are alike. */
  private returned(): string {
    const { game, seat, init } = this;
    if (!game.returns || game.problem?.(seat, seat.choice())) return init.returnPercent;
    return percentText(game.returns(seat.choice()), 4);
  }

  private paytable(): readonly HTMLElement[] {
    const rows = this.game.paytable?.(this.seat, this.seat.choice()) ?? [];
    if (rows.length === 0) return [];
    const { text } = this.seat;
    const head = el(
      "tr",
      {},
      el("th", { scope: "col" }, text("table.what")),
      el("th", { scope: "col" }, text("table.pays")),
    );
    const lines = rows.map(([what, pays]) =>
      el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, pays)),
    );
    return [el("table", { class: "pays" }, el("thead", {}, head), el("tbody", {}, ...lines))];
  }
}
