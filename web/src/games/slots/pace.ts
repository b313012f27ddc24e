import type { Canvas } from "../frame/canvas";
import { pause } from "../frame/dom";
import { linear } from "../frame/motion";

/** What times are multiplied with in quick play. */
const QUICK = 0.45;

/** The time that things take: less in quick play, none at all when the player is in a hurry. */
export class Pace {
  isQuick = false;
  /** The player wants the end, and nothing before it. */
  isHurried = false;
  /** Ends what is only being looked at. */
  private readonly waits = new Set<() => void>();

  constructor(private readonly canvas: Canvas) {}

  get isStill(): boolean {
    return this.canvas.isStill;
  }

  /** Moves something from 0 to 1; at once for players who want no motion. */
  move(ms: number, show: (part: number) => void): Promise<void> {
    const seconds = this.isHurried ? 0 : this.scaled(ms) / 1000;
    return this.canvas.tween(seconds, show, linear);
  }

  /** Leaves something to be looked at: that takes its time without motion, too. */
  async hold(ms: number): Promise<void> {
    this.canvas.wake();
    if (this.isHurried) return;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.waits.add(end);
    await Promise.race([pause(this.scaled(ms)), ended]);
    this.waits.delete(end);
  }

  /** Ends what moves and what is looked at, and lets nothing take time until `calm`. */
  hurry(): void {
    this.isHurried = true;
    this.canvas.motion.finish();
    for (const end of this.waits) end();
    this.canvas.wake();
  }

  calm(): void {
    this.isHurried = false;
  }

  private scaled(ms: number): number {
    return this.isQuick ? ms * QUICK : ms;
  }
}

/** Slows down, goes a little too far and comes back; `over` 0 goes straight there. */
export function landing(part: number, over: number): number {
  const rest = part - 1;
  return 1 + (over + 1) * rest ** 3 + over * rest ** 2;
}

/** Falls faster and faster, and bounces twice. */
export function bouncing(part: number): number {
  if (part < 0.7) return (part / 0.7) ** 2;
  if (part < 0.9) return 1 - 0.09 * (1 - ((part - 0.8) / 0.1) ** 2);
  return 1 - 0.02 * (1 - ((part - 0.95) / 0.05) ** 2);
}
