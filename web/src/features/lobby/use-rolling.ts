import { useLayoutEffect, useRef, useState } from "react";
import type { WinnerEntry } from "@/lib/api/types";

/** The board moves by this many pixels in each of sixty frames of a second. */
export const scrollStep = 0.5;
const framesPerSecond = 60;

/** As many rows as the tallest board has. */
export const boardRows = 10;

export function keyOf({ at, customerName, winAmount }: WinnerEntry): string {
  return `${at}${customerName}${winAmount}`;
}

/**
 * The way of one row of a board that rolls up without end: it comes in below all others, leaves at the top, and begins
 * anew. How far it is on its way at first says the delay.
 */
export function rollOf(index: number, count: number, height: number) {
  const rowTime = (height / (scrollStep * framesPerSecond)) * 1000;
  return {
    moves: { translate: [`0 ${(count - 1) * height}px`, `0 ${-height}px`] },
    timing: {
      duration: count * rowTime,
      delay: -(count - 1 - index) * rowTime,
      iterations: Number.POSITIVE_INFINITY,
    },
  };
}

/**
 * Rolls the rows of a list. They all lie in the same place and are moved by the compositor alone, so that neither the
 * page nor its layout has to do with it. A new entry begins it anew, so that it is seen at once.
 */
export function useRolling(entries: readonly WinnerEntry[], less: boolean, stands: boolean) {
  const list = useRef<HTMLOListElement>(null);
  const [rolling, setRolling] = useState<readonly Animation[]>([]);
  const rolls = !less && entries.length > boardRows;
  const newest = entries[0] ? keyOf(entries[0]) : "";

  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    if (!rolls || !newest) return undefined;
    const animations = rows.map((row, index) => {
      const { moves, timing } = rollOf(index, rows.length, row.offsetHeight);
      return row.animate(moves, timing);
    });
    setRolling(animations);
    return () => animations.forEach((animation) => animation.cancel());
  }, [newest, rolls]);

  useLayoutEffect(() => {
    for (const animation of rolling) {
      if (stands) animation.pause();
      else if (animation.playState === "paused") animation.play();
    }
  }, [rolling, stands]);

  const seen = useRef(newest);
  useLayoutEffect(() => {
    if (seen.current === newest) return;
    seen.current = newest;
    if (!less) list.current?.firstElementChild?.animate({ opacity: [0, 1] }, 400);
  }, [newest, less]);

  return { list, rolls };
}
