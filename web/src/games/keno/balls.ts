import { Sprite } from "pixi.js";

import type { Canvas } from "../frame/canvas";
import { easeInOut } from "../frame/motion";
import { mix } from "../frame/palette";
import { paneTexture, pearlTexture } from "../frame/textures";

type Place = { pane: Sprite; ball: Sprite; x: number; y: number; size: number };

/** The panes under the numbers, and the balls that fall on them; the numbers themselves are text. */
export class Balls {
  private readonly places: Place[];

  constructor(
    private readonly canvas: Canvas,
    private readonly buttons: readonly HTMLElement[],
  ) {
    const [paneDrawn, pearl] = [paneTexture(), pearlTexture()];
    this.places = buttons.map(() => {
      const [pane, ball] = [new Sprite(paneDrawn), new Sprite(pearl)];
      for (const sprite of [pane, ball]) sprite.anchor.set(0.5);
      ball.visible = false;
      canvas.root.addChild(pane);
      return { pane, ball, x: 0, y: 0, size: 1 };
    });
    for (const { ball } of this.places) canvas.root.addChild(ball);
    canvas.onLayout(() => this.layout());
  }

  clear(): void {
    for (const { ball } of this.places) ball.visible = false;
    this.paint();
  }

  /** Lets a ball fall on its number. */
  async drop(number: number, isHit: boolean): Promise<void> {
    const place = this.places[number - 1];
    if (!place) return;
    const { ball, x, y, size } = place;
    const { palette, width } = this.canvas;
    const from = { x: width / 2, y: -size };
    ball.tint = isHit ? palette.gold : mix(palette.cold, palette.pearl, 0.82);
    ball.visible = true;
    await this.canvas.tween(
      0.17,
      (part) => {
        ball.position.set(from.x + (x - from.x) * part, from.y + (y - from.y) * part);
        ball.setSize(size * (1.5 - 0.62 * part));
      },
      easeInOut,
    );
    if (isHit && !this.canvas.isStill) this.canvas.lattice.wave(x, y, palette.gold, 0.45);
  }

  /** Brings the panes in line with what the buttons say. */
  paint(): void {
    const { palette } = this.canvas;
    this.places.forEach(({ pane }, i) => {
      const state = this.buttons[i]?.dataset["state"];
      const isPicked = state === "picked" || state === "hit";
      pane.tint = isPicked ? palette.warm : mix(palette.cold, palette.pearl, 0.25);
      pane.alpha = isPicked ? 1 : 0.85;
    });
    this.canvas.wake();
  }

  private layout(): void {
    this.places.forEach((place, i) => {
      const button = this.buttons[i];
      if (!button) return;
      const { x, y, width, height } = this.canvas.boxOf(button);
      place.size = Math.min(width, height);
      [place.x, place.y] = [x + width / 2, y + height / 2];
      for (const sprite of [place.pane, place.ball]) sprite.position.set(place.x, place.y);
      place.pane.setSize(width, height);
      place.ball.setSize(place.size * 0.88);
    });
    this.paint();
  }
}
