/** How a movement spends its time: 0 … 1 in, 0 … 1 out (beyond is allowed). */
export type Ease = (part: number) => number;

export const linear: Ease = (part) => part;
export const easeOut: Ease = (part) => 1 - (1 - part) ** 3;
export const easeInOut: Ease = (part) => (part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2);
/** Goes a little too far and comes back. */
export const overshoot: Ease = (part) => 1 + 2.7 * (part - 1) ** 3 + 1.7 * (part - 1) ** 2;
/** Falls and bounces twice. */
export const bounce: Ease = (part) => {
  if (part < 1 / 2.75) return 7.5625 * part ** 2;
  if (part < 2 / 2.75) return 7.5625 * (part - 1.5 / 2.75) ** 2 + 0.75;
  if (part < 2.5 / 2.75) return 7.5625 * (part - 2.25 / 2.75) ** 2 + 0.9375;
  return 7.5625 * (part - 2.625 / 2.75) ** 2 + 0.984375;
};

type Tween = {
  age: number;
  seconds: number;
  step: (part: number) => void;
  ease: Ease;
  done: () => void;
};

/** Everything that moves for a while. */
export class Motion {
  /** Shows every end at once: for players who want no motion, and for what happened earlier. */
  instant = false;
  /** Faster than one: in a hurry. */
  speed = 1;
  private tweens: Tween[] = [];

  get moving(): boolean {
    return this.tweens.length > 0;
  }

  tween(seconds: number, step: (part: number) => void, ease: Ease = easeOut): Promise<void> {
    if (this.instant || seconds <= 0) {
      step(1);
      return Promise.resolve();
    }
    step(ease(0));
    return new Promise((done) => this.tweens.push({ age: 0, seconds, step, ease, done }));
  }

  update(seconds: number): void {
    const running = this.tweens;
    this.tweens = [];
    for (const tween of running) {
      tween.age += seconds * this.speed;
      const part = Math.min(1, tween.age / tween.seconds);
      tween.step(part === 1 ? 1 : tween.ease(part));
      if (part === 1) tween.done();
      else this.tweens.push(tween);
    }
  }

  /** Brings everything to its end. */
  finish(): void {
    const running = this.tweens;
    this.tweens = [];
    for (const { step, done } of running) {
      step(1);
      done();
    }
  }
}
