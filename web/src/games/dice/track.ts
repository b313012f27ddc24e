import { type DiceChoice, FACES, rollText } from "@/lib/fair/dice";

import { el, pause, prefersStill } from "../frame/dom";

/** The scale from 0 to 100 with the winning side lit, the handle of the target and the marker of the roll. */
export type Track = {
  view: HTMLElement;
  show: (choice: DiceChoice, side: string) => void;
  /** Glides the marker to the roll; it says the number when it stands. */
  mark: (roll: number, won: boolean) => Promise<void>;
};

/** As long as the number turns; the style sheet has the same time. */
const GLIDE = 950;

export function makeTrack(label: string, onTarget: (target: number) => void): Track {
  const slider = el("input", {
    type: "range",
    min: 0,
    max: FACES - 1,
    step: 1,
    "aria-label": label,
  });
  const flag = el("output", { class: "flag" });
  const marker = el("div", { class: "marker", hidden: true }, flag);
  const scale = el(
    "div",
    { class: "scale" },
    ...[0, 25, 50, 75, 100].map((mark) => el("span", {}, String(mark))),
  );
  const bar = el("div", { class: "bar" }, el("div", { class: "lit" }), marker, slider);
  const view = el("div", { class: "track" }, bar, scale);
  scale.setAttribute("aria-hidden", "true");
  marker.setAttribute("aria-hidden", "true");
  slider.addEventListener("input", () => onTarget(coarse(Number(slider.value))));
  slider.addEventListener("keydown", (event) => stepByKey(event, slider, onTarget));
  return {
    view,
    show({ target, direction }, side) {
      slider.value = String(target);
      slider.setAttribute("aria-valuetext", `${side} ${rollText(target)}`);
      bar.style.setProperty("--target", String(target / FACES));
      bar.dataset["side"] = direction;
    },
    async mark(roll, won) {
      marker.hidden = false;
      delete marker.dataset["won"];
      flag.textContent = "";
      bar.style.setProperty("--roll", String(roll / FACES));
      if (!prefersStill()) await pause(GLIDE);
      marker.dataset["won"] = String(won);
      flag.textContent = rollText(roll);
    },
  };
}

/** A finger cannot hit hundredths: dragging moves in steps of half a point. */
function coarse(value: number): number {
  return Math.round(value / 50) * 50;
}

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 100,
  ArrowUp: 100,
  ArrowLeft: -100,
  ArrowDown: -100,
  PageUp: 1000,
  PageDown: -1000,
};

/** Arrow keys move by a whole point, with Shift by a hundredth. */
function stepByKey(
  event: KeyboardEvent,
  slider: HTMLInputElement,
  onTarget: (target: number) => void,
): void {
  const step = KEY_STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  onTarget(Number(slider.value) + (event.shiftKey ? Math.sign(step) : step));
}
