import type { AppDownload } from "@/lib/api/types";

/** The size of a file for people: `12.3 MB`. */
export function sizeText(bytes: number, tag: string): string {
  return new Intl.NumberFormat(tag, {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: 1,
  }).format(bytes / 1_000_000);
}

/** What the QR code of a way leads to: its file, or this page where the site itself is installed. */
export function codeTarget({ url }: Pick<AppDownload, "url">, origin: string): string {
  return new URL(url ?? "/down", origin).href;
}
