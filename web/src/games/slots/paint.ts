/** Brush strokes that the backdrops of the machines share. */
type Pen = CanvasRenderingContext2D;

/** Fills an area from above to below. */
export function sky(pen: Pen, width: number, height: number, colours: readonly string[]): void {
  const down = pen.createLinearGradient(0, 0, 0, height);
  colours.forEach((colour, i) => down.addColorStop(i / (colours.length - 1), colour));
  pen.fillStyle = down;
  pen.fillRect(0, 0, width, height);
}

/** A round light that fades out; its colour is three numbers, as CSS has them. */
export function lamp(
  pen: Pen,
  x: number,
  y: number,
  radius: number,
  colour: string,
  strength: number,
): void {
  const light = pen.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, `rgb(${colour} / ${strength})`);
  light.addColorStop(1, `rgb(${colour} / 0)`);
  pen.fillStyle = light;
  pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
}

/** A closed shape through points. */
export function shape(
  pen: Pen,
  points: readonly (readonly [number, number])[],
  colour: string,
): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}

/** Soft hills along the lower edge; every ground has its own `salt`. */
export function ground(
  pen: Pen,
  width: number,
  height: number,
  rise: number,
  salt: number,
  colour: string,
): void {
  pen.beginPath();
  pen.moveTo(0, height);
  for (let x = 0; x <= width; x += 8) {
    const wave = Math.sin(x / 90 + salt) * 0.5 + Math.sin(x / 37 + salt * 2.3) * 0.22;
    pen.lineTo(x, height - rise * (0.75 + 0.35 * wave));
  }
  pen.lineTo(width, height);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}

/** A string between two points that hangs through; calls back at even steps along it. */
export function hang(
  from: readonly [number, number],
  to: readonly [number, number],
  sag: number,
  steps: number,
  at: (x: number, y: number, step: number, slope: number) => void,
): void {
  for (let step = 0; step <= steps; step += 1) {
    const part = step / steps;
    const y = from[1] + (to[1] - from[1]) * part + sag * 4 * part * (1 - part);
    const slope =
      (to[1] - from[1]) / (to[0] - from[0]) + ((sag * 4) / (to[0] - from[0])) * (1 - 2 * part);
    at(from[0] + (to[0] - from[0]) * part, y, step, slope);
  }
}

/** A string of little flags. */
export function bunting(
  pen: Pen,
  from: readonly [number, number],
  to: readonly [number, number],
  sag: number,
  size: number,
  colours: readonly string[],
): void {
  const steps = Math.max(3, Math.round((to[0] - from[0]) / (size * 1.25)));
  pen.beginPath();
  hang(from, to, sag, 24, (x, y, step) => (step === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.strokeStyle = "rgb(255 255 255 / 0.55)";
  pen.lineWidth = 1.5;
  pen.stroke();
  hang(from, to, sag, steps, (x, y, step, slope) => {
    if (step === steps) return;
    const angle = Math.atan(slope);
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    shape(
      pen,
      [
        [0, 0],
        [size, 0],
        [size / 2, size * 1.25],
      ],
      colours[step % colours.length] ?? "#ffffff",
    );
    pen.restore();
  });
}

/** Numbers from 0 to 1 without order, the same at every start. */
export function scattered(i: number, salt: number): number {
  const value = Math.sin(i * 127.1 + salt * 311.7) * 43758.5453;
  return value - Math.floor(value);
}
