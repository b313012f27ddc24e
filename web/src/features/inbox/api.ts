import { queryOptions } from "@tanstack/react-query";
import { withProof } from "@/features/auth/sign-in";
import { call } from "@/lib/api/client";
import { pushed } from "@/lib/push/keys";
import type { QuestionType } from "./model";

export type NewFeedback = { questionType: QuestionType; content: string; contact: string | null };

export type OwnFeedback = {
  id: string;
  questionType: QuestionType;
  content: string;
  status: "OPEN" | "ANSWERED" | "CLOSED";
  answer: string | null;
  answeredAt: string | null;
  createdAt: string;
};

/** What the member wrote. An answer is pushed. */
export const ownFeedbackQuery = queryOptions({
  queryKey: pushed.feedback,
  queryFn: ({ signal }) => call<OwnFeedback[]>("GET", "/wps/feedback", { signal }),
});

/** Sends a message to the house; whoever has no account, or a demo, proves to be human. */
export function sendFeedback(feedback: NewFeedback, proves: boolean): Promise<{ id: string }> {
  const send = (human?: string) =>
    call<{ id: string }>("PUT", "/wps/feedback", { body: { ...feedback, human } });
  return proves ? withProof(send) : send();
}
