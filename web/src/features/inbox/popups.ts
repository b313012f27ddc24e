import type { PopupEntry } from "@/lib/popup/popup";
import type { QuestionType } from "./model";

declare module "@/lib/popup/popup" {
  interface Popups {
    /** Writes to the house; `about` is what the message begins with being about. */
    feedback: { about?: QuestionType };
  }
}

export const inboxPopups: { feedback: PopupEntry<"feedback"> } = {
  feedback: {
    load: () => import("./components/feedback-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["inbox", "auth"],
  },
};
