import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "@/lib/api/schema";
import { ask, office } from "../api";

type Schemas = components["schemas"];
export type MerchantRow = Schemas["MerchantRow"];
export type Settings = Schemas["SettingsView"];
export type SwitchRow = Schemas["SwitchView"];
export type FieldRow = Schemas["RegisterField"];
export type Rule = Schemas["RuleValue"];
export type Policy = Schemas["PolicyValue"];
export type Merchant = Schemas["MerchantValue"];
export type Brand = Schemas["Brand"];
export type Resource = Schemas["SiteResource"];
export type Kind = Schemas["SettingKind"];
export type Change = Schemas["SettingChange"];
export type Country = Schemas["CountryView"];

/** A setting, how it was seen, how it shall be, and why. Nothing is what does not exist. */
export type Wanted = {
  kind: Kind;
  name?: string;
  seen: object | null;
  value: object | null;
  reason: string;
};

export type FindChanges = Schemas["FindChanges"];

/** Everything here is loaded anew after a change. */
export const settingsKey = ["settings"] as const;

export const merchantsQuery = queryOptions({
  queryKey: [...settingsKey, "merchants"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/settings/merchants", { signal })),
});

export const settingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...settingsKey, "of", id] as const,
    queryFn: ({ signal }): Promise<Settings> =>
      ask(office.GET("/office/api/settings/merchants/{id}", { params: { path: { id } }, signal })),
  });

export const changesQuery = (id: string, body: FindChanges) =>
  queryOptions({
    queryKey: [...settingsKey, "changes", id, body] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(
        office.POST("/office/api/settings/merchants/{id}/changes/find", {
          params: { path: { id } },
          body,
          signal,
        }),
      ),
  });

export const countriesQuery = queryOptions({
  queryKey: ["countries"] as const,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => ask(office.GET("/office/api/settings/countries", { signal })),
});

export function changeSetting(id: string, { name = "", ...wanted }: Wanted): Promise<Change> {
  const body = { ...wanted, name } as Schemas["ChangeSetting"];
  return ask(office.PUT("/office/api/settings/merchants/{id}", { params: { path: { id } }, body }));
}

export function undoChange(id: string, reason: string): Promise<Change> {
  const params = { path: { id } };
  return ask(office.POST("/office/api/settings/changes/{id}/undo", { params, body: { reason } }));
}

export function foundMerchant(body: Schemas["FoundMerchant"]): Promise<string> {
  return ask(office.POST("/office/api/settings/merchants", { body }));
}
