export const SIDE = 3;
export const FIELDS = SIDE * SIDE;
/** Each field is looked at in so many by so many points. */
const POINTS = 6;
/** A field is open once so much of it is scratched. */
const ENOUGH = 0.45;

/** What of the foil is gone. Places are in card widths: 0 … 1 across and down. */
export class Mask {
  private readonly gone = new Set<number>();

  /** Scratches with a round coin; the fields that are open by now. */
  scratch(x: number, y: number, radius: number): number[] {
    const side = SIDE * POINTS;
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const away = Math.hypot((column + 0.5) / side - x, (row + 0.5) / side - y);
        if (away <= radius) this.gone.add(row * side + column);
      }
    }
    return Array.from({ length: FIELDS }, (_, field) => field).filter((field) =>
      this.isOpen(field),
    );
  }

  private isOpen(field: number): boolean {
    const side = SIDE * POINTS;
    const [top, left] = [Math.floor(field / SIDE) * POINTS, (field % SIDE) * POINTS];
    let count = 0;
    for (let i = 0; i < POINTS * POINTS; i += 1) {
      const [row, column] = [top + Math.floor(i / POINTS), left + (i % POINTS)];
      if (this.gone.has(row * side + column)) count += 1;
    }
    return count >= ENOUGH * POINTS * POINTS;
  }
}
