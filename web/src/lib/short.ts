/** A number as people see it; the whole one is 36 characters long and copied by a button. */
export function shortNumber(id: string): string {
  return `…${id.slice(-8)}`;
}

/** A hash as people see it in a narrow place; both ends, because those are what one compares. */
export function shortHash(hex: string): string {
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}
