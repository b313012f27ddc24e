import { type KenoChoice, NUMBERS, paytable } from "@/lib/fair/games/keno";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import type { Scene } from "../frame/game";
import { moveInGrid } from "../frame/grid";
import { Balls } from "./balls";
import { type DrawEvent, type KenoSeat, MOST_PICKS } from "./keno.game";

const COLUMNS = 8;

/** Forty numbers to choose from; ten balls fall on them one after another. */
export function kenoScene(canvas: Canvas | null, seat: KenoSeat): Scene<KenoChoice, DrawEvent> {
  const buttons = Array.from({ length: NUMBERS }, (_, i) => {
    const button = el("button", { type: "button", class: "ball" }, String(i + 1));
    button.addEventListener("click", () => toggle(i + 1));
    return button;
  });
  const board = el(
    "div",
    { class: "balls", role: "group", "aria-label": seat.text("keno.board") },
    ...buttons,
  );
  const pays = el("ol", { class: "hits", "aria-label": seat.text("keno.table") });
  seat.room.append(board);
  seat.foot.append(pays);
  moveInGrid(buttons, COLUMNS);
  const balls = canvas && new Balls(canvas, buttons);
  let drawn: readonly number[] = [];
  let playing = false;

  const toggle = (number: number): void => {
    if (playing) return;
    const { picks } = seat.choice();
    const isPicked = picks.includes(number);
    if (!isPicked && picks.length >= MOST_PICKS) return seat.sound.lose();
    seat.sound.tick(number / NUMBERS);
    if (drawn.length > 0) clear();
    const next = isPicked ? picks.filter((pick) => pick !== number) : [...picks, number];
    seat.choose({ picks: next.toSorted((a, b) => a - b) });
  };

  const show = ({ picks }: KenoChoice, hits: number | null): void => {
    buttons.forEach((button, i) => {
      const [isPicked, isDrawn] = [picks.includes(i + 1), drawn.includes(i + 1)];
      button.setAttribute("aria-pressed", String(isPicked));
      const state = isDrawn ? (isPicked ? "hit" : "miss") : isPicked ? "picked" : "free";
      button.dataset["state"] = state;
      if (state === "hit") button.setAttribute("aria-label", seat.text("keno.hit", i + 1));
      else button.removeAttribute("aria-label");
    });
    balls?.paint();
    const table = picks.length === 0 ? [] : paytable(picks.length);
    pays.replaceChildren(
      ...table.map((pay, count) =>
        el(
          "li",
          { "data-now": count === hits, "data-pays": pay > 0 },
          el("b", {}, el("span", { class: "said" }, seat.text("keno.hits", count)), `${count}`),
          el("span", {}, `${pay / 100}×`),
        ),
      ),
    );
  };

  const clear = (): void => {
    drawn = [];
    balls?.clear();
    show(seat.choice(), null);
  };

  return {
    choose: (choice) => {
      const hits = drawn.filter((number) => choice.picks.includes(number)).length;
      show(choice, drawn.length > 0 ? hits : null);
    },
    wait() {
      playing = true;
      clear();
    },
    on: {
      async draw({ numbers }, round) {
        const choice = round.choice as KenoChoice;
        let hits = 0;
        for (const [i, number] of numbers.entries()) {
          const isHit = choice.picks.includes(number);
          if (isHit) hits += 1;
          await balls?.drop(number, isHit);
          if (isHit) seat.sound.step(hits, 0.07);
          else seat.sound.tick(0.2 + i / 20, 0.03);
          drawn = numbers.slice(0, i + 1);
          if (!canvas?.isStill || i === numbers.length - 1) show(choice, hits);
        }
      },
    },
    end(ending, { stake, payout }) {
      if (ending !== "won" || !canvas) return;
      const { room } = canvas;
      const multiple = Number(payout) / Number(stake);
      canvas.celebrate(room.x + room.width / 2, room.y + room.height / 2, multiple);
    },
    turn() {
      playing = false;
    },
    rest() {
      playing = false;
    },
    destroy() {
      board.remove();
      pays.remove();
    },
  };
}
