import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "@/lib/api/schema";
import { type Schemas, ask, office } from "../api";

export type Approval = Schemas["Approval"];
export type About = Schemas["ApprovalAbout"];
export type ApprovalsQuery = NonNullable<
  paths["/office/api/approvals"]["get"]["parameters"]["query"]
>;

/** Push makes everything under it load again. */
export const approvalsKey = ["approvals"] as const;

export const approvalsQuery = (query: ApprovalsQuery) =>
  queryOptions({
    queryKey: [...approvalsKey, "list", query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/approvals", { params: { query }, signal })),
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: [...approvalsKey, "one", id] as const,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/approvals/{id}", { params: { path: { id } }, signal })),
  });

export const approvalCountQuery = queryOptions({
  queryKey: [...approvalsKey, "count"] as const,
  staleTime: 60_000,
  queryFn: ({ signal }) => ask(office.GET("/office/api/approvals/count", { signal })),
});

export function decide(id: string, body: Schemas["Decide"]): Promise<unknown> {
  return ask(office.POST("/office/api/approvals/{id}", { params: { path: { id } }, body }));
}

export function withdraw(id: string, reason: string): Promise<unknown> {
  const body = { reason };
  return ask(
    office.POST("/office/api/approvals/{id}/withdraw", { params: { path: { id } }, body }),
  );
}
