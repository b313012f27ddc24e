import { rollText } from "@/lib/fair/dice";

import { el, pause, prefersStill } from "../frame/dom";
import type { Stage } from "./stage";

/** The stage without WebGL: the number as text over a lattice made by CSS. */
export function domStage(host: HTMLElement, room: HTMLElement): Stage {
  const number = el("output", { class: "plain-number", "aria-hidden": "true" }, "––.––");
  host.append(el("div", { class: "plain-lattice" }));
  room.append(number);
  let last = number.textContent ?? "";
  return {
    choose: () => undefined,
    spin: () => number.classList.add("spinning"),
    async land(roll, won) {
      if (!prefersStill()) await pause(350);
      last = rollText(roll);
      number.textContent = last;
      number.classList.remove("spinning");
      number.dataset["won"] = String(won);
    },
    rest() {
      number.classList.remove("spinning");
      number.textContent = last;
    },
    paint: () => undefined,
    destroy() {
      host.replaceChildren();
      number.remove();
    },
  };
}
