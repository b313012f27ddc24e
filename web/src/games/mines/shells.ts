import { Container, Sprite, type Texture } from "pixi.js";

import type { Canvas } from "../frame/canvas";
import { easeInOut } from "../frame/motion";
import { mix } from "../frame/palette";
import { drawn, pearlTexture } from "../frame/textures";

/** What a tile shows: `shown` is an urchin that nobody touched. */
export type Face = "closed" | "pearl" | "urchin" | "shown";

type Shell = {
  view: Container;
  plate: Sprite;
  thing: Sprite;
  face: Face;
  lift: number;
  size: number;
};

const SIZE = 128;

/** The drawn tiles under the buttons. */
export class Shells {
  private readonly plateTexture = plate();
  private readonly shellTexture = scallop();
  private readonly urchinTexture = urchin();
  private readonly pearl = pearlTexture(SIZE);
  private readonly shells: Shell[];

  constructor(
    private readonly canvas: Canvas,
    private readonly buttons: readonly HTMLElement[],
  ) {
    this.shells = buttons.map((button, tile) => {
      const [view, plateSprite, thing] = [new Container(), new Sprite(), new Sprite()];
      plateSprite.anchor.set(0.5);
      thing.anchor.set(0.5);
      plateSprite.texture = this.plateTexture;
      view.addChild(plateSprite, thing);
      canvas.root.addChild(view);
      const lift = (up: boolean) => () => this.hover(tile, up);
      button.addEventListener("pointerenter", lift(true));
      button.addEventListener("pointerleave", lift(false));
      return { view, plate: plateSprite, thing, face: "closed", lift: 0, size: 1 };
    });
    canvas.onLayout(() => this.layout());
  }

  clear(): void {
    for (const shell of this.shells) {
      shell.face = "closed";
      shell.view.alpha = 1;
      this.dress(shell);
    }
    this.canvas.wake();
  }

  /** The tile that the player touched, until the answer is there. */
  press(tile: number | null): void {
    this.shells.forEach((shell, i) => {
      shell.view.alpha = i === tile ? 0.7 : 1;
    });
    this.canvas.wake();
  }

  /** Turns a tile over. */
  async turn(tile: number, face: Face): Promise<void> {
    const shell = this.shells[tile];
    if (!shell) return;
    shell.view.alpha = 1;
    let turned = false;
    await this.canvas.tween(
      face === "shown" ? 0.22 : 0.3,
      (part) => {
        if (part >= 0.5 && !turned) {
          turned = true;
          shell.face = face;
          this.dress(shell);
        }
        const width = Math.abs(Math.cos(part * Math.PI));
        shell.view.scale.set(Math.max(0.04, width), 1 + 0.08 * Math.sin(part * Math.PI));
      },
      easeInOut,
    );
    const { x, y } = shell.view;
    if (face === "pearl") this.canvas.lattice.wave(x, y, this.canvas.palette.warm, 0.35);
    if (face === "urchin") this.canvas.lattice.wave(x, y, this.canvas.palette.lose, 0.8);
  }

  private hover(tile: number, up: boolean): void {
    const shell = this.shells[tile];
    if (!shell || shell.face !== "closed") return;
    shell.lift = up && this.buttons[tile]?.getAttribute("aria-disabled") === "false" ? 1 : 0;
    this.dress(shell);
    this.canvas.wake();
  }

  private layout(): void {
    this.shells.forEach((shell, tile) => {
      const button = this.buttons[tile];
      if (!button) return;
      const { x, y, width, height } = this.canvas.boxOf(button);
      shell.view.position.set(x + width / 2, y + height / 2);
      shell.size = width;
      this.dress(shell);
    });
  }

  private dress(shell: Shell): void {
    const { palette } = this.canvas;
    const { face, plate: back, thing, size, lift } = shell;
    const isClosed = face === "closed";
    back.setSize(size);
    back.tint = {
      closed: mix(palette.cold, palette.pearl, 0.42 + 0.2 * lift),
      pearl: mix(palette.warm, palette.pearl, 0.25),
      urchin: palette.lose,
      shown: mix(palette.cold, palette.pearl, 0.12),
    }[face];
    thing.texture = isClosed
      ? this.shellTexture
      : face === "pearl"
        ? this.pearl
        : this.urchinTexture;
    thing.setSize(size * (face === "pearl" ? 0.52 : isClosed ? 0.62 : 0.72));
    thing.tint = isClosed ? mix(palette.pearl, palette.cold, 0.12) : 0xffffff;
    thing.alpha = face === "shown" ? 0.85 : isClosed ? 0.9 : 1;
    shell.view.scale.set(1);
  }
}

function plate(): Texture {
  return drawn(SIZE, SIZE, (pen) => {
    const light = pen.createLinearGradient(0, 0, SIZE, SIZE);
    light.addColorStop(0, "#ffffff");
    light.addColorStop(1, "#b4b4b4");
    pen.beginPath();
    pen.roundRect(3, 3, SIZE - 6, SIZE - 6, [8, 26, 8, 26]);
    pen.fillStyle = light;
    pen.fill();
    pen.lineWidth = 4;
    pen.strokeStyle = "rgb(255 255 255 / 0.8)";
    pen.stroke();
  });
}

/** A scallop: ribs that fan out from its foot. */
function scallop(): Texture {
  return drawn(SIZE, SIZE, (pen) => {
    const [foot, half] = [SIZE * 0.86, SIZE / 2];
    const ribs = 7;
    const rim = (i: number): [number, number] => {
      const angle = Math.PI * (1.06 + (0.88 * i) / ribs);
      return [half + Math.cos(angle) * SIZE * 0.46, SIZE * 0.58 + Math.sin(angle) * SIZE * 0.5];
    };
    pen.beginPath();
    pen.moveTo(half - 14, foot);
    pen.lineTo(...rim(0));
    for (let i = 0; i < ribs; i += 1) {
      const [ax, ay] = rim(i);
      const [bx, by] = rim(i + 1);
      const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
      const out = 1.16;
      pen.quadraticCurveTo(half + (mx - half) * out, foot + (my - foot) * out, bx, by);
    }
    pen.lineTo(half + 14, foot);
    pen.closePath();
    const light = pen.createRadialGradient(half, foot, 8, half, foot, SIZE * 0.85);
    light.addColorStop(0, "#d8d8d8");
    light.addColorStop(0.5, "#ffffff");
    light.addColorStop(1, "#e2e2e2");
    pen.fillStyle = light;
    pen.fill();
    pen.strokeStyle = "rgb(60 60 60 / 0.4)";
    pen.lineWidth = 2.5;
    pen.stroke();
    for (let i = 1; i < ribs; i += 1) {
      pen.beginPath();
      pen.moveTo(half + (i - ribs / 2) * 3, foot - 4);
      pen.lineTo(...rim(i));
      pen.stroke();
    }
  });
}

/** A sea urchin: dark, round and sharp. */
function urchin(): Texture {
  return drawn(SIZE, SIZE, (pen) => {
    const half = SIZE / 2;
    const spines = 22;
    pen.lineCap = "round";
    for (let i = 0; i < spines; i += 1) {
      const angle = (i / spines) * Math.PI * 2;
      const length = SIZE * (i % 2 === 0 ? 0.48 : 0.41);
      pen.beginPath();
      pen.moveTo(half, half);
      pen.lineTo(half + Math.cos(angle) * length, half + Math.sin(angle) * length);
      pen.strokeStyle = i % 2 === 0 ? "#231522" : "#43243c";
      pen.lineWidth = i % 2 === 0 ? 6 : 5;
      pen.stroke();
    }
    const body = pen.createRadialGradient(half * 0.82, half * 0.78, 4, half, half, SIZE * 0.3);
    body.addColorStop(0, "#7c4a70");
    body.addColorStop(1, "#1c101b");
    pen.fillStyle = body;
    pen.beginPath();
    pen.arc(half, half, SIZE * 0.27, 0, Math.PI * 2);
    pen.fill();
  });
}
