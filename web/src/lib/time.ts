const parts = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = parts.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  parts.set(timeZone, made);
  return made;
}

/** The site's clock: `DD/MM/YYYY HH:mm:ss` in the merchant's zone, in every language. */
export function clockText(at: Date, timeZone: string): string {
  return formatter(timeZone).format(at).replace(", ", " ");
}

/** How long ago something was, in the largest fitting unit: `3 min. ago`. */
export function agoText(at: Date, now: Date, tag: string): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto", style: "short" });
  if (seconds < 60) return format.format(0, "minute");
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return format.format(-Math.floor(seconds / 3600), "hour");
  return format.format(-Math.floor(seconds / 86400), "day");
}

/** The day as `yyyy-MM-dd` in the merchant's zone. */
export function todayIn(timeZone: string, now = new Date()): string {
  const [day, month, year] = clockText(now, timeZone).slice(0, 10).split("/");
  return `${year}-${month}-${day}`;
}
