import { rollText } from "@/lib/fair/dice";

import { el } from "../frame/dom";

const KEPT = 14;

/** The last rolls, newest first. Won and lost differ by sign and shape, not only by colour. */
export class History {
  readonly view: HTMLElement;
  private readonly list = el("ol");

  constructor(
    label: string,
    private readonly say: (roll: string, won: boolean) => string,
  ) {
    this.view = el("div", { class: "history", role: "group", "aria-label": label }, this.list);
  }

  add(roll: number, won: boolean): void {
    const shown = rollText(roll);
    const chip = el(
      "li",
      { class: won ? "chip won" : "chip lost" },
      el("span", { "aria-hidden": "true" }, shown),
      el("span", { class: "said" }, this.say(shown, won)),
    );
    this.list.prepend(chip);
    while (this.list.children.length > KEPT) this.list.lastElementChild?.remove();
  }
}
