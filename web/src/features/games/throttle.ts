/** Runs what it is given at most once in so many milliseconds; what comes too early is left out. */
export function throttled(ms: number, now: () => number = Date.now): (run: () => void) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (run) => {
    const time = now();
    if (time - last < ms) return false;
    last = time;
    run();
    return true;
  };
}
