import { TILES } from "@/lib/fair/games/mines";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import type { Scene } from "../frame/game";
import { moveInGrid } from "../frame/grid";
import type { MinesChoice } from "@/lib/fair/games/mines";
import type { MinesEvent, MinesSeat } from "./mines.game";
import { type Face, Shells } from "./shells";

const SIDE = 5;
const WORDS = {
  closed: "mines.tile",
  pearl: "mines.tile_pearl",
  urchin: "mines.tile_urchin",
  shown: "mines.tile_shown",
} as const;

/** Twenty-five shells to turn over. The buttons are real ones; the canvas draws what lies under them. */
export function minesScene(canvas: Canvas | null, seat: MinesSeat): Scene<MinesChoice, MinesEvent> {
  const faces: Face[] = Array.from({ length: TILES }, () => "closed");
  const buttons = faces.map((_, tile) => {
    const button = el("button", { type: "button", class: "tile" });
    button.addEventListener("click", () => pick(tile));
    return button;
  });
  const board = el(
    "div",
    { class: "tiles", role: "group", "aria-label": seat.text("mines.board") },
    ...buttons,
  );
  seat.room.append(board);
  moveInGrid(buttons, SIDE);
  const shells = canvas && new Shells(canvas, buttons);
  let pearls = 0;
  let waiting: number | null = null;

  const pick = (tile: number): void => {
    if (!seat.round() || faces[tile] !== "closed" || waiting !== null) return;
    waiting = tile;
    shells?.press(tile);
    seat.act({ pick: tile });
  };
  const name = (tile: number): void => {
    const face = faces[tile] ?? "closed";
    const button = buttons[tile];
    const [row, column] = [Math.floor(tile / SIDE) + 1, (tile % SIDE) + 1];
    button?.setAttribute("aria-label", seat.text(WORDS[face], row, column));
    if (button) button.dataset["face"] = face;
  };
  const turn = async (tile: number, face: Face): Promise<void> => {
    faces[tile] = face;
    name(tile);
    await shells?.turn(tile, face);
  };
  const enable = (open: boolean): void => {
    buttons.forEach((button, tile) =>
      button.setAttribute("aria-disabled", String(!open || faces[tile] !== "closed")),
    );
    board.dataset["open"] = String(open);
  };
  const clear = (): void => {
    faces.fill("closed");
    faces.forEach((_, tile) => name(tile));
    shells?.clear();
    pearls = 0;
  };
  clear();
  enable(false);

  return {
    begin: clear,
    turn(round) {
      waiting = null;
      shells?.press(null);
      enable(round !== null);
    },
    on: {
      async tile({ tile, safe }) {
        seat.sound.noise(0.09, 0.05, 2400);
        if (safe) seat.sound.step((pearls += 1));
        else seat.sound.noise(0.35, 0.12, 300);
        await turn(tile, safe ? "pearl" : "urchin");
      },
      async mines({ tiles }) {
        await canvas?.pause(0.25);
        const rest = tiles.filter((tile) => faces[tile] === "closed");
        await Promise.all(rest.map((tile) => turn(tile, "shown")));
      },
    },
    end(ending, { book }) {
      const multiple = Number(book.at(-1)?.["multiplier"] ?? 0);
      if (ending !== "won" || !canvas) return;
      const { room } = canvas;
      canvas.celebrate(room.x + room.width / 2, room.y + room.height / 2, multiple);
    },
    rest() {
      waiting = null;
      shells?.press(null);
    },
    destroy: () => board.remove(),
  };
}
