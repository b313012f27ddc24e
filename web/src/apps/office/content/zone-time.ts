import { clockText } from "@/lib/time";

/** A moment as a date field writes it (`yyyy-MM-ddTHH:mm`), by the clock of a zone; empty for none. */
export function toField(at: string | null, zone: string): string {
  if (at === null) return "";
  const [day, month, year, hour, minute] = clockText(new Date(at), zone).split(/[/ :]/);
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The moment that a date field names by the clock of a zone; null for what is no date. */
export function fromField(text: string, zone: string): string | null {
  const wanted = Date.parse(`${text}:00Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) || Number.isNaN(wanted)) return null;
  // The zone's distance from UTC is that of the moment itself: the second look is right also where it changes that day.
  let moment = wanted;
  for (let look = 0; look < 2; look += 1) {
    moment -= Date.parse(`${toField(new Date(moment).toISOString(), zone)}:00Z`) - wanted;
  }
  return new Date(moment).toISOString();
}
