import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, paths } from "@/lib/api/schema";
import { ask, office, takeFile } from "../api";

type Schemas = components["schemas"];
export type ListedMember = Schemas["ListedMember"];
export type MemberFile = Schemas["MemberFile"];
export type MemberWallet = Schemas["MemberWallet"];
export type MemberSession = Schemas["MemberSession"];
export type MemberLogin = Schemas["MemberLogin"];
export type Transfer = Schemas["TransferView"];
export type TransferFile = Schemas["TransferFile"];
export type Round = Schemas["Round"];
export type RoundFile = Schemas["RoundFile"];
export type FoundThing = Schemas["FoundThing"];
export type FindMembers = Schemas["FindMembers"];

type QueryOf<P extends keyof paths> = paths[P] extends {
  get: { parameters: { query?: infer Q } };
}
  ? NonNullable<Q>
  : never;
export type RecordQuery = QueryOf<"/office/api/members/{id}/transfers">;
export type RoundsQuery = QueryOf<"/office/api/members/{id}/rounds">;

export const membersQuery = (body: FindMembers) =>
  queryOptions({
    queryKey: ["members", body] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask(office.POST("/office/api/members/find", { body, signal })),
  });

export const takeMembers = (body: FindMembers) =>
  takeFile(office.POST("/office/api/members/export", { body, parseAs: "blob" }));

/** Everything that is known of one member begins with this key. */
export const memberKey = (id: string) => ["member", id] as const;

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: [...memberKey(id), "file"] as const,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/members/{id}", { params: { path: { id } }, signal })),
  });

export const walletQuery = (id: string) =>
  queryOptions({
    queryKey: [...memberKey(id), "wallet"] as const,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/members/{id}/wallet", { params: { path: { id } }, signal })),
  });

export const recordQuery = (id: string, query: RecordQuery) =>
  queryOptions({
    queryKey: [...memberKey(id), "record", query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/members/{id}/transfers", {
          params: { path: { id }, query },
          signal,
        }),
      ),
  });

export const transferQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: [...memberKey(id), "transfer", seq] as const,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/members/{id}/transfers/{seq}", {
          params: { path: { id, seq } },
          signal,
        }),
      ),
  });

export const memberRoundsQuery = (id: string, query: RoundsQuery) =>
  queryOptions({
    queryKey: [...memberKey(id), "rounds", query] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/members/{id}/rounds", { params: { path: { id }, query }, signal }),
      ),
  });

export const roundQuery = (id: string) =>
  queryOptions({
    queryKey: ["round", id] as const,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/rounds/{id}", { params: { path: { id } }, signal })),
  });

export const memberSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...memberKey(id), "sessions"] as const,
    queryFn: ({ signal }) =>
      ask(office.GET("/office/api/members/{id}/sessions", { params: { path: { id } }, signal })),
  });

export const memberLoginsQuery = (id: string, before: string | undefined) =>
  queryOptions({
    queryKey: [...memberKey(id), "logins", before] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(
        office.GET("/office/api/members/{id}/logins", {
          params: { path: { id }, query: { ...(before && { before }) } },
          signal,
        }),
      ),
  });

/** What fits what somebody types; the server looks at their rights. */
export const findQuery = (q: string) =>
  queryOptions({
    queryKey: ["find", q] as const,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask(office.POST("/office/api/find", { body: { q }, signal })),
  });

type Why = { reason: string };
const at = (id: string) => ({ params: { path: { id } } });

export const freeze = (id: string, body: Why) =>
  ask(office.POST("/office/api/members/{id}/freeze", { ...at(id), body }));
export const unfreeze = (id: string, body: Why) =>
  ask(office.POST("/office/api/members/{id}/unfreeze", { ...at(id), body }));
export const closeAccount = (id: string, body: Why) =>
  ask(office.POST("/office/api/members/{id}/close", { ...at(id), body }));
export const askForPassword = (id: string, body: Why) =>
  ask(office.POST("/office/api/members/{id}/password", { ...at(id), body }));
export const endSessions = (id: string, body: Why & { session?: string }) =>
  ask(office.POST("/office/api/members/{id}/sessions/end", { ...at(id), body }));

export type Correction = { direction: "credit" | "debit"; amount: string };

/** Asks for a correction; somebody else has to agree. */
export const askCorrection = (memberId: string, correction: Correction, reason: string) =>
  ask(
    office.POST("/office/api/approvals", {
      body: {
        kind: "wallet.correct",
        // The document knows of no shape: it belongs to the kind.
        what: { memberId, ...correction } as unknown as Record<string, never>,
        reason,
      },
    }),
  );

/** A link to rows as a file; the browser sends the cookie along. */
export function fileOf(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${path}?${params}`;
}
