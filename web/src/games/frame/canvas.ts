import "pixi.js/unsafe-eval";

import { Application, Container, type Ticker } from "pixi.js";

import type { Theme } from "../protocol";
import { prefersStill } from "./dom";
import { Lattice } from "./lattice";
import { type Ease, Motion } from "./motion";
import { type Palette, type Plate, paletteOf } from "./palette";
import { Sparks } from "./sparks";
import { numberFont, paneTexture } from "./textures";

/** The shimmer is slow: between rounds fewer frames do, and soon none, so that the battery lasts. */
const IDLE_FPS = 20;
const IDLE_MS = 3000;

export type Box = { x: number; y: number; width: number; height: number };

/** Rejects when the device cannot draw with WebGL; the table then shows the game in plain DOM. */
export async function openCanvas(
  host: HTMLElement,
  room: HTMLElement,
  theme: Theme,
  plate?: Plate,
): Promise<Canvas> {
  const app = new Application();
  await app.init({
    preference: "webgl",
    autoStart: false,
    resizeTo: host,
    resolution: Math.min(devicePixelRatio, 2),
    autoDensity: true,
    antialias: false,
    background: paletteOf(theme, plate).ground,
  });
  await document.fonts.load(numberFont(100), "0123456789×").catch(() => []);
  app.canvas.setAttribute("aria-hidden", "true");
  host.prepend(app.canvas);
  return new Canvas(app, host, room, theme, plate);
}

/** What a scene draws on: the panes behind, its own things above, and time. */
export class Canvas {
  /** The scene puts its things here. */
  readonly root = new Container();
  readonly lattice: Lattice;
  readonly sparks: Sparks;
  readonly motion = new Motion();
  palette: Palette;
  private readonly still = prefersStill();
  private readonly pane = paneTexture();
  private readonly everyFrame = new Set<(seconds: number) => void>();
  private readonly layouts: (() => void)[] = [];
  /** The window is not all that resizes the stage: a longer hint or a message of two lines does, too. */
  private readonly watch = new ResizeObserver(() => this.app.resize());
  /** When the stage may stop drawing, unless something still moves. */
  private restAt = 0;

  constructor(
    private readonly app: Application,
    host: HTMLElement,
    private readonly place: HTMLElement,
    theme: Theme,
    private readonly plate: Plate | undefined,
  ) {
    this.palette = paletteOf(theme, plate);
    this.lattice = new Lattice(this.pane, this.palette);
    this.sparks = new Sparks(this.pane);
    this.motion.instant = this.still;
    app.stage.addChild(this.lattice.view, this.root, this.sparks.view);
    app.renderer.on("resize", this.layout);
    app.ticker.add(this.tick);
    this.watch.observe(host);
    this.watch.observe(place);
    this.layout();
  }

  get width(): number {
    return this.app.screen.width;
  }

  get height(): number {
    return this.app.screen.height;
  }

  /** Where the room is on the canvas. */
  get room(): Box {
    return this.boxOf(this.place);
  }

  /** Where an element over the canvas is on it. */
  boxOf(element: HTMLElement): Box {
    const [own, its] = [this.app.canvas.getBoundingClientRect(), element.getBoundingClientRect()];
    return { x: its.x - own.x, y: its.y - own.y, width: its.width, height: its.height };
  }

  /** Draws a part of the scene in the size and the colours of the moment: now, and whenever they change. */
  onLayout(draw: () => void): void {
    this.layouts.push(draw);
    draw();
    this.wake();
  }

  /** Moves something for so long; ends when it has arrived. `step` gets 0 … 1, shaped by `ease`. */
  tween(seconds: number, step: (part: number) => void, ease?: Ease): Promise<void> {
    const end = this.motion.tween(seconds, step, ease);
    this.wake();
    return end;
  }

  pause(seconds: number): Promise<void> {
    return this.tween(seconds, () => undefined);
  }

  /** Calls a function before every picture, until the answer is called. */
  each(frame: (seconds: number) => void): () => void {
    this.everyFrame.add(frame);
    this.wake();
    return () => this.everyFrame.delete(frame);
  }

  /** No motion is wanted, or the past is being shown. */
  get isStill(): boolean {
    return this.motion.instant;
  }

  /** Shows the past: without motion, until the answer is called. */
  skip(): () => void {
    this.motion.instant = true;
    return () => {
      this.motion.instant = this.still;
    };
  }

  /** A flash of the panes and flakes of shell, in proportion to what was won. */
  celebrate(x: number, y: number, multiple: number): void {
    if (this.isStill) return;
    const strength = Math.min(1, 0.35 + Math.log10(Math.max(1, multiple)) / 2);
    this.lattice.wave(x, y, this.palette.win, strength);
    this.sparks.burst(x, y, Math.round(10 + 50 * strength), [
      this.palette.gold,
      this.palette.pearl,
    ]);
    this.wake();
  }

  /** Something changed: draws it, and goes on drawing for a while. */
  wake(): void {
    if (this.still) {
      this.lattice.update(0, true);
      this.app.render();
      return;
    }
    this.restAt = performance.now() + IDLE_MS;
    this.app.ticker.maxFPS = 0;
    this.app.start();
  }

  paint(theme: Theme): void {
    this.palette = paletteOf(theme, this.plate);
    this.app.renderer.background.color = this.palette.ground;
    this.lattice.paint(this.palette);
    this.layout();
  }

  destroy(): void {
    this.watch.disconnect();
    this.app.renderer.off("resize", this.layout);
    this.motion.finish();
    this.app.destroy({ removeView: true }, { children: true });
    this.pane.destroy(true);
  }

  private readonly tick = (ticker: Ticker): void => {
    const seconds = ticker.elapsedMS / 1000;
    this.motion.update(seconds);
    for (const frame of this.everyFrame) frame(seconds);
    this.sparks.update(Math.min(0.05, seconds));
    this.lattice.update(Math.min(0.1, seconds), false);
    const moving =
      this.motion.moving || this.lattice.flashing || this.sparks.flying || this.everyFrame.size > 0;
    ticker.maxFPS = moving ? 0 : IDLE_FPS;
    if (!moving && performance.now() > this.restAt) this.app.stop();
  };

  private readonly layout = (): void => {
    this.lattice.layout(this.width, this.height);
    for (const draw of this.layouts) draw();
    this.wake();
  };
}
