import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "@/lib/api/schema";
import { type Schemas, ask, office } from "../api";

export type OfficeGame = Schemas["OfficeGame"];
export type OfficeVendor = Schemas["OfficeVendor"];
export type OfficeMerchant = Schemas["OfficeMerchant"];
export type GameValue = Schemas["GameValue"];
export type VendorValue = Schemas["VendorValue"];
export type OfferValue = Schemas["OfferValue"];
export type LimitsValue = Schemas["LimitsValue"];
export type GamesQuery = NonNullable<
  paths["/office/api/games/catalogue"]["get"]["parameters"]["query"]
>;

/** A change: how it was, how it shall be, and why. */
export type Change<V> = { seen: V; value: V; reason: string };

const gamesKey = ["games"] as const;

export const gamesQuery = (query: GamesQuery) =>
  queryOptions({
    queryKey: [...gamesKey, "catalogue", query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/games/catalogue", { params: { query }, signal })),
  });

export const vendorsQuery = queryOptions({
  queryKey: [...gamesKey, "vendors"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/games/vendors", { signal })),
});

/** What is forgotten after a change. */
export const changedKey = gamesKey;

export const changeGame = (name: string, body: Change<GameValue>) =>
  ask(office.PUT("/office/api/games/catalogue/{name}", { params: { path: { name } }, body }));

export const changeVendor = (name: string, body: Change<VendorValue>) =>
  ask(office.PUT("/office/api/games/vendors/{name}", { params: { path: { name } }, body }));

export const changeOffer = (id: string, name: string, body: Change<OfferValue>) =>
  ask(
    office.PUT("/office/api/games/merchants/{id}/offers/{name}", {
      params: { path: { id, name } },
      body,
    }),
  );
