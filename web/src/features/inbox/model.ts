import type { Key } from "@/lib/i18n/i18n";

/** What feedback can be about. */
export const questionTypes = [
  "ACCOUNT",
  "DEPOSIT",
  "WITHDRAWAL",
  "GAME",
  "PROMOTION",
  "TECHNICAL",
  "COMPLAINT",
  "OTHER",
] as const;
export type QuestionType = (typeof questionTypes)[number];

export const questionLabels: Readonly<Record<QuestionType, Key>> = {
  ACCOUNT: "inbox.account",
  DEPOSIT: "inbox.deposit",
  WITHDRAWAL: "inbox.withdrawal",
  GAME: "inbox.game",
  PROMOTION: "inbox.promotion",
  TECHNICAL: "inbox.technical",
  COMPLAINT: "inbox.complaint",
  OTHER: "inbox.other",
};

/** How long a message may be, in characters. */
export const contentBounds = { min: 10, max: 1000 } as const;
const contactBounds = { min: 3, max: 120 } as const;

/** Characters as people count them: a face is one, spaces at the ends are none. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}

export type FeedbackForm = { questionType: QuestionType; content: string; contact: string };

/** What is wrong with a message. A visitor has to say where an answer goes. */
export function feedbackFaults(
  form: FeedbackForm,
  isVisitor: boolean,
): Partial<Record<keyof FeedbackForm, Key>> {
  const faults: Partial<Record<keyof FeedbackForm, Key>> = {};
  const content = lengthOf(form.content);
  if (content < contentBounds.min || content > contentBounds.max) {
    faults.content = content === 0 ? "field.required" : "inbox.content_bounds";
  }
  const contact = lengthOf(form.contact);
  if (contact === 0) {
    if (isVisitor) faults.contact = "field.required";
  } else if (contact < contactBounds.min || contact > contactBounds.max) {
    faults.contact = "inbox.contact_bounds";
  }
  return faults;
}
