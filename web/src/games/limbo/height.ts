export const LOWEST = 101;
export const HIGHEST = 1_000_000;

/** Hundredths as a multiple: 250 → "2.50". */
export function timesText(count: number): string {
  return `${Math.floor(count / 100)}.${(count % 100).toString().padStart(2, "0")}`;
}

/** A multiple as typed ("2.5"), in hundredths and inside the rules; null when it is no number. */
export function parseTimes(text: string): number | null {
  const match = /^(\d{1,6})(?:[.,](\d{1,2}))?\s*[x×]?$/i.exec(text.trim());
  if (!match) return null;
  const count = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return Math.min(HIGHEST, Math.max(LOWEST, count));
}

/** Where the line of the target is on the stage, from the bottom. */
export const LINE = 0.6;

/** How high the light stands: the line is reached exactly at the target. Both are in hundredths. */
export function levelOf(value: number, target: number): number {
  return (LINE * Math.log(Math.max(1, value / 100))) / Math.log(target / 100);
}

/** How long a rise is shown: longer for higher ones, but never long. */
export function riseSeconds(reached: number): number {
  return Math.min(2.2, 0.45 + 0.55 * Math.log10(Math.max(1, reached / 100)) + 0.25);
}
