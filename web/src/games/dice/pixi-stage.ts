import "pixi.js/unsafe-eval";

import { Application, Sprite, Texture, type Ticker } from "pixi.js";

import { prefersStill } from "../frame/dom";
import type { Theme } from "../protocol";
import { Drums } from "./drums";
import { type Palette, palettes } from "./palette";
import { Panes } from "./panes";
import type { Stage } from "./stage";
import { numberFont, paneTexture, plaqueTexture } from "./textures";

const LAND_SECONDS = 0.95;
/** The shimmer is slow: between rounds fewer frames do, and soon none, so that the battery lasts. */
const IDLE_FPS = 20;
const IDLE_MS = 3000;
/** The plaque by the height of a digit. */
const PLAQUE = 1.14;

type Mood = "open" | "won" | "lost";

/**
 * The stage drawn with WebGL; the number stands in the middle of `room`, an element over the canvas.
 * Rejects when the device cannot; the caller falls back to plain DOM.
 */
export async function pixiStage(
  host: HTMLElement,
  room: HTMLElement,
  theme: Theme,
): Promise<Stage> {
  const app = new Application();
  await app.init({
    preference: "webgl",
    autoStart: false,
    resizeTo: host,
    resolution: Math.min(devicePixelRatio, 2),
    autoDensity: true,
    antialias: false,
    background: palettes[theme].ground,
  });
  await document.fonts.load(numberFont(100), "0123456789").catch(() => []);
  app.canvas.setAttribute("aria-hidden", "true");
  host.prepend(app.canvas);
  return new PixiStage(app, host, room, palettes[theme]);
}

class PixiStage implements Stage {
  private readonly texture = paneTexture();
  private readonly panes: Panes;
  private readonly drums = new Drums();
  private readonly plaque = new Sprite();
  private readonly still = prefersStill();
  /** The window is not all that resizes the stage: a longer hint or a message of two lines does, too. */
  private readonly watch = new ResizeObserver(() => this.app.resize());
  private mood: Mood = "open";
  /** When the stage may stop drawing, unless something still moves. */
  private restAt = 0;
  private landed: (() => void) | null = null;

  constructor(
    private readonly app: Application,
    host: HTMLElement,
    private readonly room: HTMLElement,
    private palette: Palette,
  ) {
    this.panes = new Panes(this.texture, palette);
    app.stage.addChild(this.panes.view, this.plaque, this.drums.view);
    app.renderer.on("resize", this.layout);
    app.ticker.add(this.tick);
    this.layout();
    this.watch.observe(host);
    this.watch.observe(room);
    this.wake();
  }

  choose: Stage["choose"] = (choice) => {
    this.panes.choose(choice);
    this.wake();
  };

  spin(): void {
    this.setMood("open");
    if (!this.still) this.drums.spin();
    this.wake();
  }

  async land(roll: number, won: boolean): Promise<void> {
    if (this.still) this.drums.land(roll, 0);
    else await this.turnTo(roll);
    this.setMood(won ? "won" : "lost");
    const { width, height } = this.app.screen;
    if (!this.still) this.panes.burst(width, height, roll, won);
    this.wake();
  }

  rest(): void {
    this.drums.rest();
    this.wake();
  }

  paint(theme: Theme): void {
    this.palette = palettes[theme];
    this.app.renderer.background.color = this.palette.ground;
    this.panes.paint(this.palette);
    this.layout();
  }

  destroy(): void {
    this.landed?.();
    this.watch.disconnect();
    this.app.renderer.off("resize", this.layout);
    this.drums.destroy();
    this.texture.destroy(true);
    this.plaque.texture.destroy(true);
    this.app.destroy({ removeView: true }, { children: true });
  }

  private readonly tick = (ticker: Ticker): void => {
    const seconds = ticker.elapsedMS / 1000;
    this.drums.update(seconds);
    this.panes.update(Math.min(0.1, seconds), this.still);
    const moving = this.drums.moving || this.panes.flashing;
    ticker.maxFPS = moving ? 0 : IDLE_FPS;
    if (this.landed && !this.drums.moving) {
      this.landed();
      this.landed = null;
    } else if (!moving && performance.now() > this.restAt) {
      this.app.stop();
    }
  };

  /** Something changed: draws it, and goes on drawing for a while. */
  private wake(): void {
    if (this.still) {
      this.panes.update(0, true);
      this.app.render();
      return;
    }
    this.restAt = performance.now() + IDLE_MS;
    this.app.ticker.maxFPS = 0;
    this.app.start();
  }

  private turnTo(roll: number): Promise<void> {
    return new Promise((resolve) => {
      this.landed = resolve;
      this.drums.land(roll, LAND_SECONDS);
      this.wake();
    });
  }

  private readonly layout = (): void => {
    const { width, height } = this.app.screen;
    this.panes.layout(width, height);
    this.placeNumber();
  };

  /** As large as the room allows: what lies over the canvas never covers the number. */
  private placeNumber(): void {
    const { width } = this.app.screen;
    const most = Math.min(this.room.offsetHeight / PLAQUE, width * 0.32, 210);
    this.drums.layout(Math.max(36, most), this.palette.ink);
    this.setMood(this.mood);
    this.app.render();
  }

  /** The plaque behind the number repeats the result in colour, the text below it in words. */
  private setMood(mood: Mood): void {
    this.mood = mood;
    const { warm, win, lose, plaque, plaqueWon } = this.palette;
    const edge = { open: warm, won: win, lost: lose }[mood];
    const digit = this.drums.height;
    const middle = this.room.offsetTop + this.room.offsetHeight / 2;
    const { width } = this.app.screen;
    const [w, h] = [this.drums.width + digit * 0.45, digit * PLAQUE];
    const before = this.plaque.texture;
    this.plaque.texture = plaqueTexture(
      2 * w,
      2 * h,
      mood === "won" ? plaqueWon : plaque,
      `#${edge.toString(16).padStart(6, "0")}`,
    );
    if (before !== Texture.EMPTY) before.destroy(true);
    this.plaque.setSize(w, h);
    this.plaque.position.set((width - w) / 2, middle - h / 2);
    this.drums.view.position.set((width - this.drums.width) / 2, middle - digit / 2);
  }
}
