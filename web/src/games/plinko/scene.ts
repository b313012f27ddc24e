import { Container, Graphics, Sprite } from "pixi.js";

import { type PlinkoChoice, pockets } from "@/lib/fair/games/plinko";

import type { Canvas } from "../frame/canvas";
import type { Scene } from "../frame/game";
import { easeOut, linear } from "../frame/motion";
import { type Palette, css, mix } from "../frame/palette";
import { Label, SHARP, drawn, pearlTexture } from "../frame/textures";
import { type Board, fitBoard, hop, pegsOf, pocketAt, shortTimes, touched } from "./board";
import type { FallEvent, PlinkoSeat } from "./plinko.game";

/** How long the whole fall takes, whatever the rows. */
const FALL_SECONDS = 1.9;

type Pocket = { view: Container; y: number };

/** A pearl falls through the pegs exactly as the book says. */
export function plinkoScene(canvas: Canvas, seat: PlinkoSeat): Scene<PlinkoChoice, FallEvent> {
  const pegs = new Container();
  const bins = new Container();
  const glow = new Container();
  const pearl = new Sprite(pearlTexture());
  const pegTexture = pearlTexture(32);
  let board: Board = fitBoard(12, canvas.room);
  let choice = seat.choice();
  let labels: Label[] = [];
  let places: Pocket[] = [];
  pearl.anchor.set(0.5);
  pearl.visible = false;
  canvas.root.addChild(glow, pegs, bins, pearl);

  const drawPegs = (): void => {
    for (const child of pegs.removeChildren()) child.destroy();
    for (let row = 0; row < board.rows; row += 1) {
      for (const { x, y } of pegsOf(board, row)) {
        const peg = new Sprite(pegTexture);
        peg.anchor.set(0.5);
        peg.position.set(x, y);
        peg.setSize(Math.max(4, board.gap * 0.2));
        peg.tint = canvas.palette.line;
        pegs.addChild(peg);
      }
    }
  };

  const drawBins = (): void => {
    for (const label of labels) label.destroy();
    for (const child of bins.removeChildren())
      child.destroy({ children: true, texture: true, textureSource: true });
    const width = board.gap * 0.92;
    labels = [];
    places = pockets(choice).map((pays, pocket) => {
      const view = new Container();
      const color = binColor(pays, canvas.palette);
      const back = new Sprite(
        drawn(width * SHARP, board.pocket * SHARP, (pen) => {
          const [w, h] = [width * SHARP, board.pocket * SHARP];
          pen.fillStyle = css(color);
          pen.beginPath();
          pen.roundRect(0, 0, w, h, [h * 0.12, h * 0.36, h * 0.12, h * 0.36]);
          pen.fill();
        }),
      );
      back.anchor.set(0.5);
      back.setSize(width, board.pocket);
      const label = new Label(width * 0.92, Math.min(board.pocket * 0.66, 19));
      label.set(shortTimes(pays), "#1a1206");
      view.addChild(back, label.view);
      const { x, y } = pocketAt(board, pocket);
      view.position.set(x, y);
      bins.addChild(view);
      labels.push(label);
      return { view, y };
    });
  };

  const layout = (): void => {
    board = fitBoard(choice.rows, canvas.room);
    pearl.setSize(board.gap * 0.56);
    pearl.tint = canvas.palette.pearl;
    drawPegs();
    drawBins();
  };
  canvas.onLayout(layout);

  /** The peg that was touched lights up for a moment. */
  const flash = (x: number, y: number): void => {
    const spot = new Graphics().circle(0, 0, board.gap * 0.42).fill(canvas.palette.gold);
    spot.position.set(x, y);
    glow.addChild(spot);
    void canvas
      .tween(0.3, (part) => {
        spot.alpha = 0.5 * (1 - part);
        spot.scale.set(0.4 + part);
      })
      .then(() => spot.destroy());
  };

  const land = async (pocket: number): Promise<void> => {
    const place = places[pocket];
    if (!place) return;
    const { view, y } = place;
    const size = pearl.scale.x;
    bins.addChild(view);
    await canvas.tween(
      0.3,
      (part) => {
        view.y = y + Math.sin(part * Math.PI) * board.pocket * 0.35;
        view.scale.set(1 + 0.22 * part);
        pearl.scale.set(size * (1 - part));
      },
      easeOut,
    );
    pearl.visible = false;
  };

  return {
    choose(next) {
      const isSame = next.rows === choice.rows && next.risk === choice.risk;
      choice = next;
      if (!isSame) layout();
    },
    wait() {
      for (const { view } of places) view.scale.set(1);
      pearl.visible = true;
      pearl.setSize(board.gap * 0.56);
      pearl.position.set(board.x, board.y - board.gap * 0.6);
    },
    on: {
      async fall({ path, pocket }) {
        const points = touched(board, path);
        const seconds = FALL_SECONDS / points.length;
        const lift = board.gap * 0.38;
        let from = { x: board.x, y: board.y - board.gap * 0.9 };
        pearl.visible = true;
        pearl.setSize(board.gap * 0.56);
        for (const [row, point] of points.entries()) {
          const isPocket = row === points.length - 1;
          const to = isPocket ? point : { x: point.x, y: point.y - lift };
          const start = from;
          await canvas.tween(
            seconds,
            (part) => {
              const { x, y } = hop(start, to, part);
              pearl.position.set(x, y);
            },
            linear,
          );
          if (!isPocket && !canvas.isStill) {
            flash(point.x, point.y);
            seat.sound.tick(row / path.length, 0.035);
          }
          from = to;
        }
        await land(pocket);
      },
    },
    end(ending, { book }) {
      const { pocket } = book[0] as FallEvent;
      const { x, y } = pocketAt(board, pocket);
      if (ending === "won") canvas.celebrate(x, y, (pockets(choice)[pocket] ?? 0) / 100);
    },
    rest() {
      pearl.visible = false;
    },
  };
}

/** The more a pocket pays, the warmer it is; what is less than the stake stays cool. */
function binColor(pays: number, { gold, lose }: Palette): number {
  const cool = 0xb9c7bd;
  if (pays < 100) return mix(cool, gold, (pays / 100) * 0.35);
  return mix(gold, lose, Math.min(1, Math.log10(pays / 100) / 2));
}
