const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

function unitText(value: number, unit: string, tag: string, digits = 0): string {
  return new Intl.NumberFormat(tag, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: digits,
  }).format(value);
}

/** A size in the largest fitting unit: `12.3 MB`. */
export function bytesText(bytes: number, tag: string): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return unitText(bytes / 1000 ** step, units[step] ?? "byte", tag, step === 0 ? 0 : 1);
}

/** A time in milliseconds, or in the largest fitting unit: `0.35 ms`, `12 sec`, `3 hr`. */
export function spanText(ms: number, tag: string): string {
  if (ms < 10) return unitText(ms, "millisecond", tag, 2);
  if (ms < 1_000) return unitText(ms, "millisecond", tag);
  if (ms < 60_000) return unitText(ms / 1_000, "second", tag, 1);
  if (ms < 3_600_000) return unitText(ms / 60_000, "minute", tag, 1);
  if (ms < 86_400_000) return unitText(ms / 3_600_000, "hour", tag, 1);
  return unitText(ms / 86_400_000, "day", tag, 1);
}

export function countText(count: number, tag: string): string {
  return new Intl.NumberFormat(tag).format(count);
}
