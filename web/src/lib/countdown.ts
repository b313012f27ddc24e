import { useEffect, useState } from "react";

/** Whole seconds from now until an instant, never below zero. */
export function secondsLeft(endsAt: number, now: number): number {
  return Math.max(0, Math.ceil((endsAt - now) / 1000));
}

/** Counts down by the clock, not by ticks: a tab that slept shows the right number again. */
export function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [endsAt, setEndsAt] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (endsAt === 0) return;
    const tick = () => setLeft(secondsLeft(endsAt, Date.now()));
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= endsAt) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  return { left, start: (seconds) => setEndsAt(Date.now() + seconds * 1000) };
}

/** Says whether another call is due: at most one per interval. */
export function atMostEvery(milliseconds: number): (now?: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    if (now - last < milliseconds) return false;
    last = now;
    return true;
  };
}
