import { queryOptions } from "@tanstack/react-query";
import { type Schemas, ask, office } from "../api";
import type { KindId } from "./kinds";

export type ContentValue = Schemas["ContentValue"];
export type ContentRow = Schemas["OfficeContent"];
export type ContentVersion = Schemas["ContentVersion"];

/** Everything here is loaded anew after a change. */
export const contentKey = ["content"] as const;

export const contentQuery = (merchantId: string, kind: KindId) =>
  queryOptions({
    queryKey: [...contentKey, "of", merchantId, kind] as const,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/content/{merchantId}", {
          params: { path: { merchantId }, query: { kind } },
          signal,
        }),
      ),
  });

export const versionsQuery = (merchantId: string, id: string) =>
  queryOptions({
    queryKey: [...contentKey, "versions", merchantId, id] as const,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/content/{merchantId}/{id}/versions", {
          params: { path: { merchantId, id } },
          signal,
        }),
      ),
  });

const one = (merchantId: string, id: string) => ({ path: { merchantId, id } });

export function addContent(merchantId: string, body: Schemas["NewContent"]): Promise<ContentRow> {
  const params = { path: { merchantId } };
  return ask(office.POST("/office/api/content/{merchantId}", { params, body }));
}

export function changeContent(
  merchantId: string,
  id: string,
  body: Schemas["ChangeContent"],
): Promise<ContentRow> {
  const params = one(merchantId, id);
  return ask(office.PUT("/office/api/content/{merchantId}/{id}", { params, body }));
}

export function removeContent(
  merchantId: string,
  id: string,
  body: Schemas["DeleteContent"],
): Promise<unknown> {
  const params = one(merchantId, id);
  return ask(office.DELETE("/office/api/content/{merchantId}/{id}", { params, body }));
}

export function orderContent(merchantId: string, body: Schemas["OrderContent"]): Promise<unknown> {
  const params = { path: { merchantId } };
  return ask(office.POST("/office/api/content/{merchantId}/order", { params, body }));
}

export function restoreContent(
  merchantId: string,
  id: string,
  body: Schemas["RestoreContent"],
): Promise<ContentRow> {
  const params = one(merchantId, id);
  return ask(office.POST("/office/api/content/{merchantId}/{id}/restore", { params, body }));
}
