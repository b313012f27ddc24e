const TURN = Math.PI * 2;

/** The prizes of a wheel, highest first, and how many segments have each. */
export function prizesOf(segments: readonly number[]): { pays: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const pays of segments) counts.set(pays, (counts.get(pays) ?? 0) + 1);
  return [...counts].map(([pays, count]) => ({ pays, count })).toSorted((a, b) => b.pays - a.pays);
}

/** How a wheel stands when the pointer, at the top, is in the middle of a segment; segment 0 begins at the top. */
export function restingAngle(segment: number, count: number): number {
  return -((segment + 0.5) / count) * TURN;
}

/**
 * Where a spin ends: the same place turned on by whole turns, so that it goes at least so many turns forward. `aside`
 * moves the pointer inside the segment, from −1 to 1: real wheels do not stop in the middle.
 */
export function spinEnd(
  from: number,
  segment: number,
  count: number,
  turns: number,
  aside = 0,
): number {
  const rest = restingAngle(segment, count) + (aside * 0.4 * TURN) / count;
  const least = from + turns * TURN;
  return rest + Math.ceil((least - rest) / TURN) * TURN;
}

/** The segment under the pointer. */
export function segmentAt(angle: number, count: number): number {
  const share = (((-angle / TURN) % 1) + 1) % 1;
  return Math.floor(share * count);
}

/** A wheel that friction stops: fast at first, and ever slower. */
export function slowing(part: number): number {
  return 1 - (1 - part) ** 3.2;
}
