import type { Texture } from "pixi.js";

import { drawn } from "../frame/textures";

const SIZE = 512;
const POINTS = 5;

/** A parol: the star lantern of capiz panes in its ring, in grey, tinted where it is used. */
export function starTexture(): Texture {
  return drawn(SIZE, SIZE, (pen) => {
    const half = SIZE / 2;
    const corner = (i: number, radius: number): [number, number] => {
      const angle = (i / (POINTS * 2)) * Math.PI * 2 - Math.PI / 2;
      return [half + Math.cos(angle) * radius, half + Math.sin(angle) * radius];
    };
    const [outer, inner] = [half * 0.86, half * 0.36];
    const glow = pen.createRadialGradient(half, half, half * 0.1, half, half, half);
    glow.addColorStop(0, "rgb(255 255 255 / 0.5)");
    glow.addColorStop(1, "rgb(255 255 255 / 0)");
    pen.fillStyle = glow;
    pen.fillRect(0, 0, SIZE, SIZE);
    pen.lineWidth = 7;
    pen.strokeStyle = "#e8e8e8";
    pen.beginPath();
    pen.arc(half, half, outer + 12, 0, Math.PI * 2);
    pen.stroke();
    for (let i = 0; i < POINTS * 2; i += 1) {
      const [tip, side] = i % 2 === 0 ? [outer, inner] : [inner, outer];
      pen.beginPath();
      pen.moveTo(half, half);
      pen.lineTo(...corner(i, tip));
      pen.lineTo(...corner(i + 1, side));
      pen.closePath();
      pen.fillStyle = i % 2 === 0 ? "#ffffff" : "#c4c4c4";
      pen.fill();
      pen.strokeStyle = "#8c8c8c";
      pen.lineWidth = 4;
      pen.stroke();
    }
    pen.strokeStyle = "rgb(140 140 140 / 0.55)";
    pen.lineWidth = 2.5;
    for (const share of [0.3, 0.5, 0.7]) {
      pen.beginPath();
      for (let i = 0; i <= POINTS * 2; i += 1) {
        pen.lineTo(...corner(i, (i % 2 === 0 ? outer : inner) * share));
      }
      pen.stroke();
    }
  });
}
