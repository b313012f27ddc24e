import { Container, Sprite } from "pixi.js";

import { type WheelChoice, segmentsOf } from "@/lib/fair/games/wheel";

import type { Canvas } from "../frame/canvas";
import type { Scene } from "../frame/game";
import { type Palette, css, mix } from "../frame/palette";
import { Label, SHARP, drawn } from "../frame/textures";
import { prizesOf, restingAngle, segmentAt, slowing, spinEnd } from "./disc";
import type { StopEvent, WheelSeat } from "./wheel.game";

const SPIN_SECONDS = 3.4;
const TURNS = 4;
const TURN = Math.PI * 2;

/** A wheel of panes with a brass rim; it slows down onto the segment that was drawn. */
export function wheelScene(canvas: Canvas, seat: WheelSeat): Scene<WheelChoice, StopEvent> {
  const view = new Container();
  const disc = new Sprite();
  const pointer = new Sprite();
  let label = new Label(1, 1);
  let choice = seat.choice();
  let angle = restingAngle(0, choice.segments);
  let radius = 1;
  let shown: { text: string; color: number } | null = null;
  disc.anchor.set(0.5);
  pointer.anchor.set(0.5, 0.2);
  view.addChild(disc, pointer);
  canvas.root.addChild(view);

  const layout = (): void => {
    const { room, palette } = canvas;
    radius = Math.min(room.width, room.height - 8) / 2;
    view.position.set(room.x + room.width / 2, room.y + room.height / 2 + 4);
    for (const sprite of [disc, pointer])
      if (sprite.texture.width > 1) sprite.texture.destroy(true);
    disc.texture = discTexture(segmentsOf(choice), radius, palette);
    disc.setSize(radius * 2);
    disc.rotation = angle;
    pointer.texture = pointerTexture(palette);
    pointer.setSize(radius * 0.16, radius * 0.2);
    pointer.position.set(0, -radius);
    label.destroy();
    label = new Label(radius * 0.72, radius * 0.3);
    view.addChild(label.view);
    say();
  };
  const say = (): void => {
    const { text, color } = shown ?? { text: "", color: 0 };
    label.set(text, css(color));
  };
  canvas.onLayout(layout);

  return {
    choose(next) {
      const isSame = next.segments === choice.segments && next.risk === choice.risk;
      if (isSame) return;
      choice = next;
      shown = null;
      angle = restingAngle(0, choice.segments);
      layout();
    },
    wait() {
      shown = null;
      say();
    },
    on: {
      async stop({ segment }, { id }) {
        const { segments } = choice;
        const start = angle % TURN;
        const end = spinEnd(start, segment, segments, TURNS, aside(id));
        let last = segmentAt(start, segments);
        await canvas.tween(
          SPIN_SECONDS,
          (part) => {
            angle = start + (end - start) * part;
            disc.rotation = angle;
            const now = segmentAt(angle, segments);
            if (now === last) return;
            last = now;
            if (canvas.isStill) return;
            pointer.rotation = -0.35;
            seat.sound.tick(0.3, 0.025);
          },
          slowing,
        );
        const pays = segmentsOf(choice)[segment] ?? 0;
        const { win, palette } = { win: pays > 100, palette: canvas.palette };
        shown = { text: seat.times(String(pays / 100)), color: win ? palette.win : palette.line };
        say();
      },
    },
    end(ending, { book }) {
      const pays = segmentsOf(choice)[(book[0] as StopEvent).segment] ?? 0;
      if (ending === "won") canvas.celebrate(view.x, view.y - radius, pays / 100);
    },
    ...springing(canvas, pointer),
  };
}

/** The pointer swings back after every peg. */
function springing(canvas: Canvas, pointer: Sprite): { turn: () => void; begin: () => void } {
  let stop: (() => void) | null = null;
  return {
    begin() {
      if (canvas.isStill) return;
      stop ??= canvas.each((seconds) => {
        pointer.rotation *= Math.max(0, 1 - seconds * 14);
      });
    },
    turn() {
      stop?.();
      stop = null;
      pointer.rotation = 0;
    },
  };
}

/** Where inside the segment it stops: looks only, taken from the round so that a replay looks the same. */
function aside(id: string): number {
  const sum = [...id].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 997, 7);
  return (sum / 997) * 2 - 1;
}

function discTexture(pays: readonly number[], radius: number, palette: Palette) {
  const size = radius * 2 * SHARP;
  return drawn(size, size, (pen) => {
    const half = size / 2;
    const [rim, hub] = [half * 0.985, half * 0.44];
    const step = TURN / pays.length;
    pen.translate(half, half);
    pen.rotate(-Math.PI / 2);
    pays.forEach((pay, i) => {
      pen.beginPath();
      pen.arc(0, 0, rim, i * step, (i + 1) * step);
      pen.arc(0, 0, hub, (i + 1) * step, i * step, true);
      pen.closePath();
      const light = pen.createRadialGradient(0, 0, hub, 0, 0, rim);
      const color = segmentColor(pay, pays, palette);
      light.addColorStop(0, css(mix(color, 0x000000, 0.3)));
      light.addColorStop(0.75, css(color));
      light.addColorStop(1, css(mix(color, 0xffffff, 0.18)));
      pen.fillStyle = light;
      pen.fill();
      pen.strokeStyle = css(palette.ground, 0.9);
      pen.lineWidth = Math.max(1.5, half * 0.008);
      pen.stroke();
      drawPays(pen, pay, { angle: (i + 0.5) * step, half, width: step * half * 0.8 });
    });
    pen.lineWidth = half * 0.03;
    pen.strokeStyle = css(palette.gold);
    pen.beginPath();
    pen.arc(0, 0, rim - half * 0.012, 0, TURN);
    pen.stroke();
    pen.beginPath();
    pen.arc(0, 0, hub, 0, TURN);
    pen.fillStyle = palette.plaque;
    pen.fill();
    pen.stroke();
    pen.fillStyle = css(palette.pearl);
    for (let i = 0; i < pays.length; i += 1) {
      pen.beginPath();
      pen.arc(
        Math.cos(i * step) * rim * 0.985,
        Math.sin(i * step) * rim * 0.985,
        half * 0.012,
        0,
        TURN,
      );
      pen.fill();
    }
  });
}

function drawPays(
  pen: CanvasRenderingContext2D,
  pays: number,
  { angle, half, width }: { angle: number; half: number; width: number },
): void {
  if (pays === 0) return;
  pen.save();
  pen.rotate(angle);
  pen.translate(half * 0.8, 0);
  pen.fillStyle = "#1a1206";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const height = Math.min(width, half * 0.13);
  pen.font = `800 condensed ${height}px Anybody, sans-serif`;
  pen.fillText(String(pays / 100), 0, 0, half * 0.26);
  pen.restore();
}

/** Dark where nothing is paid; else the warmer the more, by rank among the wheel's prizes. */
function segmentColor(pay: number, pays: readonly number[], palette: Palette): number {
  if (pay === 0) return mix(palette.cold, palette.ground, 0.55);
  const ranks = prizesOf(pays).filter(({ pays: prize }) => prize > 0);
  const rank = ranks.findIndex((prize) => prize.pays === pay);
  const colors = [0xf0675a, 0xffa640, 0xffd36b, 0xcfe0a4, 0x9fd2c4];
  const place =
    ranks.length <= 1 ? 0 : Math.round((rank / (ranks.length - 1)) * (colors.length - 1));
  return colors[place] ?? palette.gold;
}

function pointerTexture(palette: Palette) {
  return drawn(96, 120, (pen) => {
    pen.beginPath();
    pen.moveTo(8, 8);
    pen.quadraticCurveTo(48, -6, 88, 8);
    pen.lineTo(52, 112);
    pen.quadraticCurveTo(48, 118, 44, 112);
    pen.closePath();
    pen.fillStyle = css(palette.pearl);
    pen.fill();
    pen.lineWidth = 6;
    pen.strokeStyle = css(palette.ground);
    pen.stroke();
  });
}
