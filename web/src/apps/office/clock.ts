import { clockText } from "@/lib/time";

/** The zone of whoever looks. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `DD/MM/YYYY HH:mm:ss` where whoever looks is; a dash for never. */
export function timeText(at: string | null | undefined): string {
  return at ? clockText(new Date(at), zone) : "–";
}

/** The moment a day (`yyyy-MM-dd`) begins here, or one some days later; undefined for what is no day. */
export function startOfDay(day: string | undefined, later = 0): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "");
  if (!parts) return undefined;
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number];
  const first = new Date(year, month - 1, date);
  const isReal = first.getMonth() === month - 1 && first.getDate() === date && year >= 1970;
  return isReal ? new Date(year, month - 1, date + later).toISOString() : undefined;
}
