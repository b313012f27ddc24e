import { el } from "../frame/dom";
import { FIELDS, Mask, SIDE } from "./mask";
import { drawSymbol } from "./symbols";

const SHARP = 2;
/** The coin, by the width of the card. */
const COIN = 0.075;

type Options = {
  pays: (symbol: number) => string;
  /** A field was opened. */
  onOpen: (field: number) => void;
  onScratch: () => void;
};

/** The card in two layers: what is printed, and the foil over it. Both are plain 2D canvases. */
export class Card {
  readonly view: HTMLElement;
  private readonly print = el("canvas", { "aria-hidden": "true" });
  private readonly foil = el("canvas", { class: "foil", "aria-hidden": "true" });
  private fields: readonly number[] | null = null;
  private prize: number | null = null;
  private isDone = false;
  private open = new Set<number>();
  private mask = new Mask();
  private at: { x: number; y: number } | null = null;

  constructor(
    private readonly options: Options,
    buttons: readonly HTMLElement[],
  ) {
    this.view = el("div", { class: "card" }, this.print, ...buttons, this.foil);
    this.foil.addEventListener("pointerdown", (event) => this.scratch(event));
    this.foil.addEventListener("pointermove", (event) => this.scratch(event));
    this.foil.addEventListener("pointerleave", () => {
      this.at = null;
    });
    new ResizeObserver(() => this.draw()).observe(this.view);
  }

  /** A new card, covered. */
  cover(fields: readonly number[] | null, prize: number | null): void {
    this.fields = fields;
    this.prize = prize;
    this.isDone = false;
    this.open = new Set();
    this.mask = new Mask();
    this.draw();
  }

  uncover(field: number): void {
    if (this.open.has(field) || !this.fields) return;
    this.open.add(field);
    const { x, y, size } = this.boxOf(field);
    this.foil.getContext("2d")?.clearRect(x, y, size, size);
    this.options.onOpen(field);
  }

  isOpen(field: number): boolean {
    return this.open.has(field);
  }

  /** Everything is open: the winning fields are marked. */
  finish(): void {
    this.isDone = true;
    this.draw();
  }

  private scratch(event: PointerEvent): void {
    if (!this.fields || this.isDone) return;
    const isPen = event.pointerType !== "mouse" || event.buttons > 0;
    if (!isPen) {
      this.at = null;
      return;
    }
    const { width } = this.view.getBoundingClientRect();
    const to = { x: event.offsetX / width, y: event.offsetY / width };
    const from = this.at ?? to;
    this.at = to;
    this.wipe(from, to);
    this.options.onScratch();
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (COIN / 2)) + 1;
    for (let i = 1; i <= steps; i += 1) {
      const [x, y] = [
        from.x + ((to.x - from.x) * i) / steps,
        from.y + ((to.y - from.y) * i) / steps,
      ];
      for (const field of this.mask.scratch(x, y, COIN)) this.uncover(field);
    }
  }

  private wipe(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const pen = this.foil.getContext("2d");
    if (!pen) return;
    const size = this.foil.width;
    pen.save();
    pen.globalCompositeOperation = "destination-out";
    pen.lineCap = "round";
    pen.lineWidth = COIN * 2 * size;
    pen.beginPath();
    pen.moveTo(from.x * size, from.y * size);
    pen.lineTo(to.x * size + 0.1, to.y * size);
    pen.stroke();
    pen.restore();
  }

  private boxOf(field: number): { x: number; y: number; size: number } {
    const size = this.print.width / SIDE;
    return { x: (field % SIDE) * size, y: Math.floor(field / SIDE) * size, size };
  }

  private draw(): void {
    const size = Math.ceil(this.view.clientWidth * SHARP);
    for (const canvas of [this.print, this.foil]) canvas.width = canvas.height = size;
    const [print, foil] = [this.print.getContext("2d"), this.foil.getContext("2d")];
    if (!print || !foil || size === 0) return;
    for (let field = 0; field < FIELDS; field += 1) {
      if (this.fields) this.drawField(print, field, this.fields[field] ?? 0);
      if (!this.open.has(field)) this.drawFoil(foil, field);
    }
  }

  private drawField(pen: CanvasRenderingContext2D, field: number, symbol: number): void {
    const { x, y, size } = this.boxOf(field);
    const isWinning = this.isDone && symbol === this.prize;
    const [half, gap] = [size / 2, size * 0.03];
    pen.beginPath();
    pen.roundRect(x + gap, y + gap, size - 2 * gap, size - 2 * gap, [size * 0.04, size * 0.16]);
    pen.fillStyle = isWinning ? "#fff0bd" : "#fbf6e8";
    pen.fill();
    pen.lineWidth = isWinning ? size * 0.045 : size * 0.012;
    pen.strokeStyle = isWinning ? "#d98a00" : "rgb(60 45 20 / 0.35)";
    pen.stroke();
    pen.globalAlpha = this.isDone && !isWinning ? 0.55 : 1;
    drawSymbol(pen, symbol, x + half, y + size * 0.42, size * 0.24);
    pen.fillStyle = "#2b1d08";
    pen.textAlign = "center";
    pen.font = `800 condensed ${size * 0.19}px Anybody, sans-serif`;
    pen.fillText(this.options.pays(symbol), x + half, y + size * 0.88, size * 0.86);
    pen.globalAlpha = 1;
  }

  /** A pane of silvery shell. */
  private drawFoil(pen: CanvasRenderingContext2D, field: number): void {
    const { x, y, size } = this.boxOf(field);
    const gap = size * 0.02;
    const light = pen.createLinearGradient(x, y, x + size, y + size);
    light.addColorStop(0, "#f2e3c9");
    light.addColorStop(0.45, "#d8c19a");
    light.addColorStop(0.55, "#efe0c2");
    light.addColorStop(1, "#b89a6c");
    pen.save();
    pen.beginPath();
    pen.roundRect(x + gap, y + gap, size - 2 * gap, size - 2 * gap, [size * 0.04, size * 0.16]);
    pen.fillStyle = light;
    pen.fill();
    pen.clip();
    pen.strokeStyle = "rgb(255 255 255 / 0.35)";
    pen.lineWidth = size * 0.014;
    for (let radius = size * 0.15; radius < size * 1.4; radius += size * 0.13) {
      pen.beginPath();
      pen.arc(x, y, radius, 0, Math.PI / 2);
      pen.stroke();
    }
    pen.restore();
  }
}
