import { Sprite, Texture } from "pixi.js";

const PANE = 96;

/** One shell pane in grey, tinted where it is used: a soft light from above and lines of growth. */
export function paneTexture(): Texture {
  return drawn(PANE, PANE, (pen) => {
    const light = pen.createRadialGradient(
      PANE * 0.32,
      PANE * 0.24,
      4,
      PANE / 2,
      PANE / 2,
      PANE * 0.8,
    );
    light.addColorStop(0, "#ffffff");
    light.addColorStop(0.55, "#d9d9d9");
    light.addColorStop(1, "#a2a2a2");
    pen.beginPath();
    pen.roundRect(3, 3, PANE - 6, PANE - 6, [5, 16, 5, 16]);
    pen.fillStyle = light;
    pen.fill();
    pen.clip();
    pen.strokeStyle = "rgba(255,255,255,.4)";
    pen.lineWidth = 1.5;
    for (let radius = 18; radius < 120; radius += 13) {
      pen.beginPath();
      pen.arc(2, 2, radius, 0, Math.PI / 2);
      pen.stroke();
    }
    pen.strokeStyle = "rgba(255,255,255,.75)";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.roundRect(4, 4, PANE - 8, PANE - 8, [5, 16, 5, 16]);
    pen.stroke();
  });
}

/** Prepares the pen for the number; returns the line on which digits stand in the middle of the height. */
export function setFont(pen: CanvasRenderingContext2D, height: number): number {
  pen.textAlign = "center";
  pen.font = numberFont(height);
  const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = pen.measureText("0");
  return (height + up - down) / 2;
}

/** The plaque with leaf corners behind the number. Drawn in 2D, its curves are smooth without WebGL antialiasing. */
export function plaqueTexture(width: number, height: number, fill: string, edge: string): Texture {
  const large = Math.min(88, height * 0.3);
  return drawn(width, height, (pen) => {
    pen.beginPath();
    pen.roundRect(3, 3, width - 6, height - 6, [16, large, 16, large]);
    pen.fillStyle = fill;
    pen.fill();
    pen.strokeStyle = edge;
    pen.lineWidth = 6;
    pen.stroke();
  });
}

/** The heavy condensed face of the house; system faces stand in until it is there. */
export function numberFont(height: number): string {
  return `800 condensed ${Math.round(height * 0.86)}px Anybody, "Arial Narrow", "Roboto Condensed", Impact, sans-serif`;
}

/** A texture drawn with a 2D pen: smooth without WebGL antialiasing. */
export function drawn(
  width: number,
  height: number,
  draw: (pen: CanvasRenderingContext2D) => void,
): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width);
  canvas.height = Math.ceil(height);
  const pen = canvas.getContext("2d");
  if (pen) draw(pen);
  return Texture.from(canvas);
}

/** How sharp textures are drawn: twice the CSS size, the most that the canvas shows. */
export const SHARP = 2;

/** A round pearl in grey, tinted where it is used. */
export function pearlTexture(size = 96): Texture {
  return drawn(size, size, (pen) => {
    const half = size / 2;
    const light = pen.createRadialGradient(size * 0.36, size * 0.3, size * 0.04, half, half, half);
    light.addColorStop(0, "#ffffff");
    light.addColorStop(0.35, "#f1f1f1");
    light.addColorStop(0.8, "#b9b9b9");
    light.addColorStop(1, "#7d7d7d");
    pen.fillStyle = light;
    pen.beginPath();
    pen.arc(half, half, half - 1.5, 0, Math.PI * 2);
    pen.fill();
  });
}

/** A line of text in the face of the numbers that can change; it shrinks where it would not fit. */
export class Label {
  readonly view: Sprite;
  private readonly canvas = document.createElement("canvas");
  private readonly texture: Texture;
  private shown = "";

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.canvas.width = Math.ceil(width * SHARP);
    this.canvas.height = Math.ceil(height * SHARP);
    this.texture = Texture.from(this.canvas, true);
    this.view = new Sprite(this.texture);
    this.view.setSize(width, height);
    this.view.anchor.set(0.5);
  }

  set(text: string, ink: string): this {
    if (this.shown === `${text}/${ink}`) return this;
    this.shown = `${text}/${ink}`;
    const pen = this.canvas.getContext("2d");
    if (!pen) return this;
    const [w, h] = [this.width * SHARP, this.height * SHARP];
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.fillStyle = ink;
    const base = setFont(pen, h);
    pen.fillText(text, w / 2, base, w);
    this.texture.source.update();
    return this;
  }

  destroy(): void {
    this.view.destroy();
    this.texture.destroy(true);
  }
}
