import { el, pause, prefersStill } from "./dom";
import type { Game, Scene, Seat } from "./game";

/** The stage of a device without WebGL: the result as text over a lattice made by CSS. */
export function plainScene(game: Game, seat: Seat): Scene {
  const number = el("output", { class: "plain-number", "aria-hidden": "true" }, "–");
  seat.room.append(number);
  return {
    on: {},
    wait: () => number.classList.add("spinning"),
    async end(ending, round) {
      if (!prefersStill()) await pause(350);
      number.classList.remove("spinning");
      number.dataset["won"] = String(ending === "won");
      number.textContent = game.tell(seat, round).chip;
    },
    rest: () => number.classList.remove("spinning"),
    destroy: () => number.remove(),
  };
}
