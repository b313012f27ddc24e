import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "@/lib/api/schema";
import { type Schemas, ask, office } from "../api";

export type Feedback = Schemas["Feedback"];
export type Application = Schemas["Application"];

type QueryOf<P extends "/office/api/feedback" | "/office/api/affiliates"> = NonNullable<
  paths[P]["get"]["parameters"]["query"]
>;

/** Push makes everything under these load again. */
export const feedbackKey = ["feedback"] as const;
export const affiliatesKey = ["affiliates"] as const;

/** So many are counted; of more it is said that there are more. */
const mostCounted = 100;
const waiting = { status: "OPEN", limit: mostCounted } as const;

/** How many wait. */
export function countText(count: number): string {
  return count < mostCounted ? String(count) : `${mostCounted}+`;
}

export const feedbackQuery = (query: QueryOf<"/office/api/feedback">) =>
  queryOptions({
    queryKey: [...feedbackKey, query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask(office.GET("/office/api/feedback", { params: { query }, signal })),
  });

export const affiliatesQuery = (query: QueryOf<"/office/api/affiliates">) =>
  queryOptions({
    queryKey: [...affiliatesKey, query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/affiliates", { params: { query }, signal })),
  });

/** What nobody has answered or decided yet. */
export const waitingFeedback = { ...feedbackQuery(waiting), staleTime: 60_000 };
export const waitingAffiliates = { ...affiliatesQuery(waiting), staleTime: 60_000 };

const one = (id: string) => ({ path: { id } });

export function answerFeedback(id: string, answer: string) {
  const body = { answer };
  return ask(office.POST("/office/api/feedback/{id}/answer", { params: one(id), body }));
}

export function closeFeedback(id: string, reason: string) {
  const body = { reason };
  return ask(office.POST("/office/api/feedback/{id}/close", { params: one(id), body }));
}

/** The answer is what the applicant reads. */
export function decideAffiliate(id: string, body: Schemas["DecideApplication"]) {
  return ask(office.POST("/office/api/affiliates/{id}/decide", { params: one(id), body }));
}
