import { type HiloAction, winningRanks } from "@/lib/fair/games/hilo";
import { formatDecimal, formatPercent, ratioText } from "@/lib/money/money";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import type { Scene } from "../frame/game";
import { Cards } from "./cards";
import {
  type CardEvent,
  type HiloChoice,
  type HiloKey,
  type HiloSeat,
  cardText,
} from "./hilo.game";

const RANKS = 13;
const MOST_CARDS = 40;

type Guess = "higher" | "lower";

/** What a guess means beside this card: at the ends of the row one guess would be certain, so it means something else. */
export function guessKey(guess: Guess, rank: number): HiloKey {
  if (guess === "higher") {
    if (rank === RANKS) return "hilo.same";
    return rank === 1 ? "hilo.higher_only" : "hilo.higher";
  }
  if (rank === 1) return "hilo.same";
  return rank === RANKS ? "hilo.lower_only" : "hilo.lower";
}

/** A row of cards; each next one is guessed. */
export function hiloScene(canvas: Canvas | null, seat: HiloSeat): Scene<HiloChoice, CardEvent> {
  const plainCard = el("output", { class: "plain-number", "aria-hidden": "true" });
  const cards = canvas && new Cards(canvas);
  let [last, count] = [null as CardEvent | null, 0];
  const button = (action: HiloAction, kind: string): HTMLButtonElement => {
    const made = el("button", { type: "button", class: `guess ${kind}` });
    made.addEventListener("click", () => guess(action));
    return made;
  };
  const [higher, lower, skip] = [
    button("higher", "up"),
    button("lower", "down"),
    button("skip", "skip"),
  ];
  skip.append(el("b", {}, seat.text("hilo.skip")));
  const row = el(
    "div",
    { class: "guesses", role: "group", "aria-label": seat.text("hilo.guess") },
    higher,
    lower,
    skip,
  );
  seat.foot.append(row);
  if (!canvas) seat.room.append(plainCard);

  const guess = (action: HiloAction): void => {
    if (seat.round() === null) return;
    if (action === "skip" && count >= MOST_CARDS) return;
    seat.act(action);
  };
  const label = (element: HTMLElement, which: Guess, rank: number): void => {
    const wins = BigInt(winningRanks(which, rank));
    const chance = ratioText(wins * 100n, BigInt(RANKS), 2);
    const times = ratioText(BigInt(RANKS), wins, 2);
    element.replaceChildren(
      el("b", {}, seat.text(guessKey(which, rank))),
      el(
        "span",
        {},
        formatPercent(chance, seat.lang),
        " · ",
        `×${formatDecimal(times, seat.lang, 2)}`,
      ),
    );
  };
  const showGuesses = (open: boolean): void => {
    const rank = last?.rank ?? 7;
    label(higher, "higher", rank);
    label(lower, "lower", rank);
    for (const one of [higher, lower, skip]) one.setAttribute("aria-disabled", String(!open));
  };
  showGuesses(false);

  return {
    wait: () => seat.sound.noise(0.12, 0.04, 1500),
    begin() {
      [last, count] = [null, 0];
      cards?.clear();
    },
    turn: (round) => showGuesses(round !== null),
    on: {
      async card(event) {
        [last, count] = [event, count + 1];
        seat.sound.noise(0.1, 0.06, 1900);
        plainCard.textContent = cardText(seat, event);
        await cards?.deal(event);
        showGuesses(false);
        if (event.guessed === true) seat.sound.step(count, 0.07);
        if (event.guessed === false) await cards?.miss();
      },
    },
    end(ending, { book }) {
      const multiple = Number(book.at(-1)?.["multiplier"] ?? 0);
      if (ending === "won" && canvas) canvas.celebrate(...cards!.middle(), multiple);
    },
    keys: {
      ArrowUp: () => guess("higher"),
      ArrowDown: () => guess("lower"),
      ArrowRight: () => guess("skip"),
    },
    destroy() {
      row.remove();
      plainCard.remove();
    },
  };
}
