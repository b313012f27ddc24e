import { el } from "./dom";
import type { History } from "./history";

/** The stage in DOM: the canvas behind, and over it the history, the game's room, the result and its foot. */
export class StageView {
  readonly view: HTMLElement;
  readonly canvas = el("div", { class: "canvas" });
  /** What is left between the recent rounds and the result: the game stands in it, so nothing covers it. */
  readonly room = el("div", { class: "room" });
  readonly foot = el("div", { class: "foot" });
  /** Repeats every result for those who do not see the stage. */
  readonly said = el("p", { class: "said", "aria-live": "polite" });
  private readonly result = el("p", { class: "result" });

  constructor(name: string, history: History, tools: readonly HTMLElement[]) {
    this.view = el(
      "section",
      { class: "stage" },
      el("h1", { class: "said" }, name),
      this.canvas,
      el("div", { class: "top" }, history.view, ...tools),
      this.room,
      this.result,
      this.foot,
    );
  }

  say(kind: string, ...content: readonly (Node | string)[]): void {
    this.result.dataset["kind"] = kind;
    this.result.replaceChildren(...content);
  }
}
