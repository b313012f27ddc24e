import { Container, Sprite, type Texture } from "pixi.js";

import type { Canvas } from "../frame/canvas";
import { easeInOut, easeOut } from "../frame/motion";
import { css } from "../frame/palette";
import { SHARP } from "../frame/textures";
import { backTexture, faceTexture } from "./faces";
import type { CardEvent } from "./hilo.game";

const RATIO = 1.4;
/** How many earlier cards are seen. */
const TRAIL = 7;
/** Earlier cards lie in the shade. */
const EARLIER = 0xb9beb4;

type Card = { view: Container; sprite: Sprite; event: CardEvent };

/** The cards on the table: the newest large in the middle, the earlier ones in a row at its left, the pack at its right. */
export class Cards {
  private cards: Card[] = [];
  private readonly pack = new Container();
  private back: Texture | null = null;
  private readonly faces = new Map<string, Texture>();
  private width = 1;

  constructor(private readonly canvas: Canvas) {
    canvas.root.addChild(this.pack);
    canvas.onLayout(() => this.layout());
  }

  clear(): void {
    for (const { view } of this.cards) view.destroy({ children: true });
    this.cards = [];
    this.canvas.wake();
  }

  middle(): [number, number] {
    const { room } = this.canvas;
    return [room.x + room.width / 2, room.y + room.height / 2];
  }

  /** Turns the next card of the pack over and brings it to the middle. */
  async deal(event: CardEvent): Promise<void> {
    const card = this.add(event);
    const [x, y] = this.middle();
    const from = { x: this.pack.x, y: this.pack.y };
    const before = this.cards.slice(0, -1).map(({ view }) => ({ x: view.x, size: view.scale.x }));
    await this.canvas.tween(
      0.34,
      (part) => {
        card.view.position.set(from.x + (x - from.x) * part, from.y + (y - from.y) * part);
        const turned = Math.cos(part * Math.PI);
        card.sprite.texture = turned > 0 ? this.backOf() : this.faceOf(event);
        this.fit(card.sprite, this.width * Math.max(0.03, Math.abs(turned)));
        this.cards.slice(0, -1).forEach((old, i) => {
          const goal = this.placeOf(i, this.cards.length);
          const start = before[i] ?? goal;
          old.view.x = start.x + (goal.x - start.x) * part;
          old.view.scale.set(start.size + (goal.size - start.size) * part);
          old.sprite.tint = EARLIER;
        });
      },
      easeInOut,
    );
    this.arrange();
  }

  /** A wrong guess: the card shivers once. */
  async miss(): Promise<void> {
    const card = this.cards.at(-1);
    if (!card) return;
    const [x, y] = this.middle();
    this.canvas.lattice.wave(x, y, this.canvas.palette.lose, 0.5);
    await this.canvas.tween(
      0.3,
      (part) => {
        card.view.x = x + Math.sin(part * Math.PI * 5) * 8 * (1 - part);
      },
      easeOut,
    );
  }

  private add(event: CardEvent): Card {
    const [view, sprite] = [new Container(), new Sprite(this.backOf())];
    sprite.anchor.set(0.5);
    view.addChild(sprite);
    this.canvas.root.addChild(view);
    const card = { view, sprite, event };
    this.cards.push(card);
    return card;
  }

  /** Where the card with this number is when there are so many. */
  private placeOf(i: number, count: number): { x: number; size: number } {
    const [x] = this.middle();
    const behind = count - 1 - i;
    if (behind === 0) return { x, size: 1 };
    const room = Math.max(0, this.canvas.room.width / 2 - this.width * 0.5);
    const step = Math.min(this.width * 0.42, room / (TRAIL + 0.5));
    return { x: x - this.width * 0.62 - step * (behind - 0.5), size: 0.55 };
  }

  private arrange(): void {
    const [, y] = this.middle();
    this.cards.forEach((card, i) => {
      const { x, size } = this.placeOf(i, this.cards.length);
      const behind = this.cards.length - 1 - i;
      card.view.position.set(x, y);
      card.view.scale.set(size);
      card.sprite.tint = behind === 0 ? 0xffffff : EARLIER;
      card.view.visible = behind <= TRAIL;
      card.sprite.texture = this.faceOf(card.event);
      this.fit(card.sprite, this.width);
    });
    this.canvas.wake();
  }

  private layout(): void {
    const { room } = this.canvas;
    this.width = Math.min(room.height / RATIO, room.width * 0.3, 230);
    this.back?.destroy(true);
    this.back = null;
    for (const texture of this.faces.values()) texture.destroy(true);
    this.faces.clear();
    for (const child of this.pack.removeChildren()) child.destroy();
    const [x, y] = this.middle();
    for (let i = 0; i < 4; i += 1) {
      const sprite = new Sprite(this.backOf());
      sprite.anchor.set(0.5);
      this.fit(sprite, this.width * 0.86);
      sprite.position.set(i * 2.5, -i * 2.5);
      this.pack.addChild(sprite);
    }
    this.pack.position.set(x + this.width * 1.08, y);
    this.arrange();
  }

  private fit(sprite: Sprite, width: number): void {
    sprite.setSize(width, (width > this.width * 0.84 ? width : this.width) * RATIO);
  }

  private backOf(): Texture {
    const { palette } = this.canvas;
    const [w, h] = [this.width * SHARP, this.width * RATIO * SHARP];
    this.back ??= backTexture(w, h, css(palette.cold), css(palette.gold));
    return this.back;
  }

  private faceOf({ rank, suit }: CardEvent): Texture {
    const key = `${rank}/${suit}`;
    const known = this.faces.get(key);
    if (known) return known;
    const made = faceTexture(this.width * SHARP, this.width * RATIO * SHARP, rank, suit);
    this.faces.set(key, made);
    return made;
  }
}
