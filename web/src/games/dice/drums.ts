import { Container, Sprite, Texture, TilingSprite } from "pixi.js";

import { digitStrip, pointTexture } from "./digits";

const PLACES = 4;
/** Width of a digit and of the point, by the height of a digit. */
const DIGIT = 0.43;
const POINT = 0.17;
/** Turns per second of each drum while the answer is awaited; they differ so that it does not pulse. */
const SPEEDS = [1.9, 2.6, 3.3, 4.1];

/** Ten digits of this height fill the largest texture that every device takes: 4096. */
const MAX_DIGIT = 400;

type Motion = { value: number; goal: number | null; from: number; begun: number; length: number };
type Drum = Motion & { sprite: TilingSprite };
const RESTING: Motion = { value: 0, goal: null, from: 0, begun: 0, length: 0 };

/** Four digits on drums, like a counter: 00.00 to 99.99. */
export class Drums {
  readonly view = new Container();
  private drums: Drum[] = [];
  private strip: Texture | null = null;
  private point = new Sprite();
  height = 1;
  private spinning = false;
  private time = 0;

  /** Draws the digits anew in a size and colour; values and motion stay. */
  layout(height: number, ink: string): void {
    const before = this.drums;
    const width = height * DIGIT;
    const gap = height * POINT;
    this.view.removeChildren();
    for (const drum of before) drum.sprite.destroy();
    this.strip?.destroy(true);
    const sharp = Math.min(2, MAX_DIGIT / height);
    const strip = digitStrip(width * sharp, height * sharp, ink);
    this.strip = strip;
    this.height = height;
    this.drums = Array.from({ length: PLACES }, (_, i) => {
      const sprite = new TilingSprite({ texture: strip, width, height });
      sprite.tileScale.set(width / strip.width, (height * 10) / strip.height);
      sprite.x = i * width + (i > 1 ? gap : 0);
      this.view.addChild(sprite);
      return { ...(before[i] ?? RESTING), sprite };
    });
    if (this.point.texture !== Texture.EMPTY) this.point.texture.destroy(true);
    this.point.texture = pointTexture(gap * sharp, height * sharp, ink);
    this.point.setSize(gap, height);
    this.point.position.set(2 * width, 0);
    this.view.addChild(this.point);
    this.place();
  }

  /** The width of the whole number at the present size. */
  get width(): number {
    return this.height * (PLACES * DIGIT + POINT);
  }

  spin(): void {
    this.spinning = true;
    for (const drum of this.drums) drum.goal = null;
  }

  /** Turns every drum on to its digit, the last one longest. */
  land(roll: number, seconds: number): void {
    this.spinning = false;
    const digits = roll.toString().padStart(PLACES, "0");
    this.drums.forEach((drum, i) => {
      const digit = Number(digits[i]);
      const turns = seconds === 0 ? 0 : 10;
      drum.from = drum.value % 10;
      drum.goal = drum.from + ((digit - drum.from + 10) % 10) + turns;
      drum.begun = this.time;
      drum.length = seconds * (0.55 + 0.15 * i);
    });
    this.update(0);
  }

  /** Stops where the drums are, on whole digits. */
  rest(): void {
    if (!this.spinning) return;
    this.spinning = false;
    for (const drum of this.drums) drum.value = Math.round(drum.value) % 10;
    this.place();
  }

  get moving(): boolean {
    return this.spinning || this.drums.some((drum) => drum.goal !== null);
  }

  update(seconds: number): void {
    this.time += seconds;
    this.drums.forEach((drum, i) => {
      if (this.spinning) drum.value += seconds * 10 * (SPEEDS[i] ?? 2);
      if (drum.goal !== null) this.approach(drum, drum.goal);
    });
    this.place();
  }

  destroy(): void {
    this.point.texture.destroy(true);
    this.view.destroy({ children: true });
    this.strip?.destroy(true);
  }

  private approach(drum: Drum, goal: number): void {
    const part = drum.length === 0 ? 1 : Math.min(1, (this.time - drum.begun) / drum.length);
    drum.value = drum.from + (goal - drum.from) * (1 - (1 - part) ** 3);
    if (part < 1) return;
    drum.value = Math.round(goal) % 10;
    drum.goal = null;
  }

  private place(): void {
    for (const drum of this.drums) drum.sprite.tilePosition.y = -drum.value * this.height;
  }
}
