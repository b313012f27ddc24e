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
/** The shimmer is slow: between rounds fewer frames do, and the battery lasts. */
const IDLE_FPS = 20;
/** Room kept free for the DOM over the canvas: recent rolls above, result and track below. */
const ABOVE = 48;
const BELOW = 142;

/** The stage drawn with WebGL. Rejects when the device cannot; the caller falls back to plain DOM. */
export async function pixiStage(host: HTMLElement, theme: Theme): Promise<Stage> {
  const app = new Application();
  await app.init({
    preference: "webgl",
    resizeTo: host,
    resolution: Math.min(devicePixelRatio, 2),
    autoDensity: true,
    antialias: false,
    background: palettes[theme].ground,
  });
  await document.fonts.load(numberFont(100), "0123456789").catch(() => []);
  app.canvas.setAttribute("aria-hidden", "true");
  host.prepend(app.canvas);
  return new PixiStage(app, palettes[theme]);
}

class PixiStage implements Stage {
  private readonly texture = paneTexture();
  private readonly panes: Panes;
  private readonly drums = new Drums();
  private readonly plaque = new Sprite();
  private readonly still = prefersStill();
  private edge: number;
  private landed: (() => void) | null = null;

  constructor(
    private readonly app: Application,
    private palette: Palette,
  ) {
    this.edge = palette.warm;
    this.panes = new Panes(this.texture, palette);
    app.stage.addChild(this.panes.view, this.plaque, this.drums.view);
    app.renderer.on("resize", this.layout);
    app.ticker.add(this.tick);
    this.layout();
  }

  choose: Stage["choose"] = (choice) => {
    this.panes.choose(choice);
    if (this.still) this.panes.update(0, true);
  };

  spin(): void {
    this.app.ticker.maxFPS = 0;
    this.setEdge(this.palette.warm);
    if (!this.still) this.drums.spin();
  }

  async land(roll: number, won: boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.landed = resolve;
      this.drums.land(roll, this.still ? 0 : LAND_SECONDS);
    });
    this.setEdge(won ? this.palette.win : this.palette.lose);
    const { width, height } = this.app.screen;
    if (!this.still) this.panes.burst(width, height, roll, won);
  }

  rest(): void {
    this.drums.rest();
  }

  paint(theme: Theme): void {
    this.palette = palettes[theme];
    this.app.renderer.background.color = this.palette.ground;
    this.panes.paint(this.palette);
    this.edge = this.palette.warm;
    this.layout();
  }

  destroy(): void {
    this.landed?.();
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
    ticker.maxFPS = this.drums.moving || this.panes.flashing ? 0 : IDLE_FPS;
    if (this.landed && !this.drums.moving) {
      this.landed();
      this.landed = null;
    }
  };

  private readonly layout = (): void => {
    const { width, height } = this.app.screen;
    this.panes.layout(width, height);
    this.drums.layout(
      Math.max(40, Math.min((height - ABOVE - BELOW) / 1.16, width * 0.3, 210)),
      this.palette.ink,
    );
    this.setEdge(this.edge);
    this.app.render();
  };

  /** The plaque behind the number; its edge repeats the result in colour, the text beside it in words. */
  private setEdge(color: number): void {
    this.edge = color;
    const { width, height } = this.app.screen;
    const digit = this.drums.height;
    const middle = (ABOVE + height - BELOW) / 2;
    const [w, h] = [this.drums.width + digit * 0.45, digit * 1.12];
    const [x, y] = [(width - w) / 2, middle - h / 2];
    const hex = `#${color.toString(16).padStart(6, "0")}`;
    const before = this.plaque.texture;
    this.plaque.texture = plaqueTexture(2 * w, 2 * h, this.palette.plaque, hex);
    if (before !== Texture.EMPTY) before.destroy(true);
    this.plaque.setSize(w, h);
    this.plaque.position.set(x, y);
    this.drums.view.position.set((width - this.drums.width) / 2, middle - digit / 2);
  }
}
