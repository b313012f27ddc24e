import { type Units, moneyText, moneyUnits } from "@/lib/money/money";

import { el } from "../frame/dom";
import type { Pace } from "./pace";
import { counted } from "./count";
import type { SlotSeat } from "./words";

/** The pool is counted up over so many milliseconds whenever it has grown. */
const POOL_MS = 1200;

/** What stands over the drawn grid: the pool, what the spin is and has won, and now and then a banner. */
export class Head {
  readonly view: HTMLElement;
  /** The place of the grid: it is drawn as large as this is. */
  readonly place = el("div", { class: "slots-place" });
  private readonly pool = el("output", { class: "slots-pool-amount" });
  private readonly spin = el("span", { class: "slots-spin" });
  private readonly win = el("output", { class: "slots-win" });
  private readonly times = el("span", { class: "slots-times" });
  private readonly banner = el("div", {
    class: "slots-banner",
    "aria-hidden": "true",
    hidden: true,
  });
  private readonly poolRow: HTMLElement;
  private pooled: Units | null = null;
  private poolFrame = 0;

  constructor(
    private readonly seat: SlotSeat,
    private readonly usual: string,
    private readonly pace: () => Pace | null,
  ) {
    this.poolRow = el(
      "p",
      { class: "slots-pool" },
      el("span", {}, seat.text("slots.jackpot")),
      this.pool,
    );
    this.view = el(
      "div",
      { class: "slots" },
      el(
        "div",
        { class: "slots-bar" },
        this.poolRow,
        el("p", { class: "slots-head", "aria-hidden": "true" }, this.spin, this.win, this.times),
      ),
      this.place,
      this.banner,
    );
    this.reset();
    this.setPool(seat.jackpot());
  }

  /** As it is before a spin. */
  reset(): void {
    this.settle();
    this.showWin(0n);
  }

  /** Free spins and falls are over; what was won stays. */
  settle(): void {
    this.spin.textContent = this.usual;
    delete this.spin.dataset["free"];
    this.showTimes(1);
  }

  showFree(spin: number, of: number): void {
    this.spin.textContent = this.seat.text("slots.free", spin, of);
    this.spin.dataset["free"] = "";
  }

  showTimes(times: number): void {
    this.times.textContent = times > 1 ? `×${times}` : "";
  }

  showWin(amount: Units): void {
    this.win.textContent =
      amount === 0n ? "" : this.seat.text("slots.win", this.seat.money(moneyText(amount)));
  }

  /** Lets a banner stand there for a while, with an amount that may count up. */
  async announce(title: string, line: string, ms: number, count?: Count): Promise<void> {
    const amount = el("output", {}, line);
    this.banner.replaceChildren(el("strong", {}, title), amount);
    this.banner.hidden = false;
    const pace = this.pace();
    if (count) {
      await pace?.move(count.ms, (part) => {
        amount.textContent = this.seat.money(moneyText(counted(0n, count.to, part)));
      });
    }
    await pace?.hold(ms);
    this.banner.hidden = true;
  }

  setPool(text: string | null): void {
    this.poolRow.hidden = text === null;
    if (text === null) return;
    const [from, to] = [this.pooled, moneyUnits(text)];
    this.pooled = to;
    cancelAnimationFrame(this.poolFrame);
    if (from === null || from >= to || this.pace()?.isStill !== false) return this.showPool(to);
    const begun = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, (now - begun) / POOL_MS);
      this.showPool(counted(from, to, part));
      if (part < 1) this.poolFrame = requestAnimationFrame(step);
    };
    this.poolFrame = requestAnimationFrame(step);
  }

  destroy(): void {
    cancelAnimationFrame(this.poolFrame);
    this.view.remove();
  }

  private showPool(amount: Units): void {
    this.pool.textContent = this.seat.money(moneyText(amount));
  }
}

type Count = { to: Units; ms: number };
