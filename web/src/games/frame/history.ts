import { el } from "./dom";
import type { Ending } from "./game";

const KEPT = 14;

/** The last rounds, newest first. Won and lost differ by sign and shape, not only by colour. */
export class History {
  readonly view: HTMLElement;
  private readonly list = el("ol");

  constructor(
    label: string,
    private readonly say: (chip: string, ending: Ending) => string,
  ) {
    this.view = el("div", { class: "history", role: "group", "aria-label": label }, this.list);
  }

  add(shown: string, ending: Ending): void {
    const chip = el(
      "li",
      { class: `chip ${ending}` },
      el("span", { "aria-hidden": "true" }, shown),
      el("span", { class: "said" }, this.say(shown, ending)),
    );
    this.list.prepend(chip);
    while (this.list.children.length > KEPT) this.list.lastElementChild?.remove();
  }
}
