import type { Texture } from "pixi.js";

import { drawn } from "../frame/textures";

type Pen = CanvasRenderingContext2D;

const NAMES: Readonly<Record<number, string>> = { 1: "A", 11: "J", 12: "Q", 13: "K" };
const RED = "#c8342b";
const BLACK = "#14211d";

/** The suits in the order of the deck, each drawn in a square from −1 to 1. */
const suits: readonly ((pen: Pen) => void)[] = [club, diamond, heart, spade];

export function faceTexture(width: number, height: number, rank: number, suit: number): Texture {
  return drawn(width, height, (pen) => {
    sheet(pen, width, height, "#fbf8ef", "rgb(20 33 29 / 0.35)");
    const ink = suit === 1 || suit === 2 ? RED : BLACK;
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const name = NAMES[rank] ?? String(rank);
    const corner = (): void => {
      pen.font = `800 condensed ${width * 0.27}px Anybody, sans-serif`;
      pen.fillText(name, width * 0.19, height * 0.14, width * 0.3);
      draw(pen, suit, width * 0.19, height * 0.285, width * 0.095);
    };
    corner();
    pen.save();
    pen.translate(width, height);
    pen.rotate(Math.PI);
    corner();
    pen.restore();
    draw(pen, suit, width / 2, height / 2, width * 0.27);
  });
}

export function backTexture(width: number, height: number, fill: string, edge: string): Texture {
  return drawn(width, height, (pen) => {
    sheet(pen, width, height, fill, edge);
    pen.clip();
    pen.strokeStyle = edge;
    pen.globalAlpha = 0.55;
    pen.lineWidth = width * 0.012;
    const step = width / 6;
    for (let x = step / 2; x < width; x += step) {
      for (let y = step / 2; y < height; y += step) {
        pen.beginPath();
        pen.roundRect(x - step * 0.38, y - step * 0.38, step * 0.76, step * 0.76, [2, step * 0.25]);
        pen.stroke();
      }
    }
  });
}

function sheet(pen: Pen, width: number, height: number, fill: string, edge: string): void {
  const line = width * 0.018;
  pen.beginPath();
  pen.roundRect(line, line, width - 2 * line, height - 2 * line, [
    width * 0.04,
    width * 0.14,
    width * 0.04,
    width * 0.14,
  ]);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = line;
  pen.strokeStyle = edge;
  pen.stroke();
}

function draw(pen: Pen, suit: number, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(size, size);
  pen.beginPath();
  suits[suit]?.(pen);
  pen.fill();
  pen.restore();
}

function diamond(pen: Pen): void {
  pen.moveTo(0, -1);
  pen.lineTo(0.74, 0);
  pen.lineTo(0, 1);
  pen.lineTo(-0.74, 0);
  pen.closePath();
}

function heart(pen: Pen): void {
  pen.moveTo(0, 0.95);
  pen.bezierCurveTo(-1.5, -0.1, -0.85, -1.15, 0, -0.42);
  pen.bezierCurveTo(0.85, -1.15, 1.5, -0.1, 0, 0.95);
}

function spade(pen: Pen): void {
  pen.moveTo(0, -1);
  pen.bezierCurveTo(1.5, 0.1, 0.75, 0.95, 0.12, 0.45);
  pen.lineTo(0.32, 1);
  pen.lineTo(-0.32, 1);
  pen.lineTo(-0.12, 0.45);
  pen.bezierCurveTo(-0.75, 0.95, -1.5, 0.1, 0, -1);
}

function club(pen: Pen): void {
  for (const [x, y] of [
    [0, -0.5],
    [-0.5, 0.2],
    [0.5, 0.2],
  ] as const) {
    pen.moveTo(x + 0.44, y);
    pen.arc(x, y, 0.44, 0, Math.PI * 2);
  }
  pen.moveTo(0.12, -0.1);
  pen.lineTo(0.32, 1);
  pen.lineTo(-0.32, 1);
  pen.lineTo(-0.12, -0.1);
}
