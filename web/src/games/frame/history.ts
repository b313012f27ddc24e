import { el } from "./dom";
import type { Ending, TableKey } from "./game";
import type { FrameText } from "./text";

const KEPT = 14;
const WORDS = { won: "table.chip_won", back: "table.chip_back", lost: "table.chip_lost" } as const;

/** The last rounds, newest first. Won and lost differ by sign and shape, not only by colour. */
export class History {
  readonly view: HTMLElement;
  private readonly list = el("ol");

  constructor(private readonly text: FrameText<TableKey>) {
    const label = text("table.history");
    this.view = el("div", { class: "history", role: "group", "aria-label": label }, this.list);
  }

  add(shown: string, ending: Ending): void {
    const chip = el(
      "li",
      { class: `chip ${ending}` },
      el("span", { "aria-hidden": "true" }, shown),
      el("span", { class: "said" }, this.text(WORDS[ending], shown)),
    );
    this.list.prepend(chip);
    while (this.list.children.length > KEPT) this.list.lastElementChild?.remove();
  }
}
