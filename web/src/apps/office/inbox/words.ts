import type { Key, Translate } from "@/lib/i18n/i18n";
import { isLang, shippedLanguages } from "@/lib/i18n/languages";

/** What becomes of feedback, and of applications; what waits comes first. */
export const feedbackStates = ["OPEN", "ANSWERED", "CLOSED"] as const;
export const applicationStates = ["OPEN", "ACCEPTED", "REFUSED"] as const;

const stateNames: Readonly<Record<string, Key>> = {
  OPEN: "letters.open",
  ANSWERED: "letters.answered",
  CLOSED: "letters.closed",
  ACCEPTED: "letters.accepted",
  REFUSED: "letters.refused",
};

const questionNames: Readonly<Record<string, Key>> = {
  ACCOUNT: "letters.about_account",
  DEPOSIT: "letters.about_deposit",
  WITHDRAWAL: "letters.about_withdrawal",
  GAME: "letters.about_game",
  PROMOTION: "letters.about_promotion",
  TECHNICAL: "letters.about_technical",
  COMPLAINT: "letters.about_complaint",
  OTHER: "letters.about_other",
};

const contactNames: Readonly<Record<string, Key>> = {
  EMAIL: "letters.by_email",
  MOBILE: "letters.by_mobile",
  TELEGRAM: "letters.by_telegram",
  WHATSAPP: "letters.by_whatsapp",
};

/** A code in words; one that only a newer server knows is shown as it is written. */
const named = (names: Readonly<Record<string, Key>>) => (code: string, t: Translate) => {
  const name = names[code];
  return name ? t(name) : code;
};

export const stateText = named(stateNames);
export const questionText = named(questionNames);
export const contactText = named(contactNames);

/** The language that somebody reads, by its own name. */
export function languageText(code: string): string {
  if (!isLang(code)) return code;
  return shippedLanguages.find((language) => language.code === code)?.name ?? code;
}

/** What somebody writes to a person has 1 to 2,000 characters. */
export function answerFault(answer: string): { answer?: Key } {
  const { length } = [...answer.trim()];
  return length >= 1 && length <= 2000 ? {} : { answer: "letters.answer_rule" };
}
