import type { Texture } from "pixi.js";

import { drawn, setFont } from "../frame/textures";

/** The ten digits one above the other, for a drum that turns. */
export function digitStrip(width: number, height: number, ink: string): Texture {
  return drawn(width, height * 10, (pen) => {
    pen.fillStyle = ink;
    const base = setFont(pen, height);
    for (let digit = 0; digit < 10; digit += 1) {
      pen.fillText(String(digit), width / 2, base + digit * height, width);
    }
  });
}

/** The point between the digits, on their line. */
export function pointTexture(width: number, height: number, ink: string): Texture {
  return drawn(width, height, (pen) => {
    pen.fillStyle = ink;
    const base = setFont(pen, height);
    pen.fillText(".", width / 2, base);
  });
}
