import type { Announcement, HelpSection } from "@/lib/api/types";
import { clockText } from "@/lib/time";

/** When a notice began, `YYYY-MM-DD HH:mm:ss` in the merchant's zone; the server says it in milliseconds. */
export function noticeTime(startDateStr: string, timeZone: string): string {
  const at = Number(startDateStr);
  if (startDateStr === "" || !Number.isFinite(at)) return "";
  const [date = "", time = ""] = clockText(new Date(at), timeZone).split(" ");
  return `${date.split("/").toReversed().join("-")} ${time}`;
}

const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, " ")
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** The articles that have every word of what was asked for, in the title or in the text, section by section. */
export function searchHelp(sections: readonly HelpSection[], asked: string): HelpSection[] {
  const words = plain(asked).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sections];
  const found = sections.map((section) => ({
    ...section,
    articles: section.articles.filter(({ title, content }) => {
      const text = `${plain(title)} ${plain(content)}`;
      return words.every((word) => text.includes(word));
    }),
  }));
  return found.filter(({ articles }) => articles.length > 0);
}

/** Where an announcement leads: a promotion's own page, else the list of its kind. */
export function promotionPath({
  promotion,
  promotionType,
}: Pick<Announcement, "promotion" | "promotionType">): string | null {
  if (promotion) return `/promotions/${encodeURIComponent(promotion)}`;
  return promotionType ? `/promotions?type=${encodeURIComponent(promotionType)}` : null;
}
