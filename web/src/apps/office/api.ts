import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import createClient, { type Middleware } from "openapi-fetch";
import { isApiError, unwrap } from "@/lib/api/client";
import { networkFailure } from "@/lib/api/error";
import type { components, paths } from "@/lib/api/schema";
import { saveFile } from "@/lib/save-file";
import { isTouched } from "./idle";
import { sendProved } from "./proof/proof";

export type Schemas = components["schemas"];
export type Me = Schemas["Me"];
export type Session = Schemas["StaffSession"];
export type Person = Schemas["PersonView"];
export type Role = Schemas["RoleView"];
export type Secrets = Schemas["SecretsView"];
export type TrailRow = Schemas["TrailRow"];
export type TrailCheck = Schemas["TrailCheck"];
export type FindRows = Schemas["FindRows"];

/** The session is a cookie that no script reads. Pages of other origins cannot send this header. */
const ownPage: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("X-Office-Page", "1");
    // What the page asks by itself does not keep the session alive.
    if (!isTouched()) request.headers.set("X-Office-By-Itself", "1");
    return request;
  },
  onError() {
    return networkFailure();
  },
};

export const office = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: sendProved,
});
office.use(ownPage);

type Heard = { onAnswer: () => void; onRefusal: (error: unknown) => void };
let heard: Heard = { onAnswer: () => undefined, onRefusal: () => undefined };

/** Tells what becomes of the calls: whether the session holds is seen by their answers. */
export function listenToCalls(listener: Heard): void {
  heard = listener;
}

/** The value of a call; whether the session holds is noticed on the way. */
export async function ask<B extends object>(call: Parameters<typeof unwrap<B>>[0]) {
  try {
    const value = await unwrap(call);
    if (isTouched()) heard.onAnswer();
    return value;
  } catch (error) {
    heard.onRefusal(error);
    throw error;
  }
}

/** The name that an answer gives its file. */
function nameOf(response: Response): string {
  const said = response.headers.get("Content-Disposition") ?? "";
  return /filename="([^"]+)"/.exec(said)?.[1] ?? "capiz.csv";
}

type FileCall = Promise<{ data?: Blob; error?: unknown; response: Response }>;

/** Takes rows away as a file. What is looked for is in the body, so that a link will not do. */
export async function takeFile(call: FileCall): Promise<void> {
  const answer = call.then(({ data, error, response }) => ({
    ...(data && { data: { value: { data, name: nameOf(response) } } }),
    error,
    response,
  }));
  const { data, name } = await ask<{ value: { data: Blob; name: string } }>(answer);
  saveFile(data, name);
}

/** Who is logged in; null is nobody. */
export const meQuery = queryOptions({
  queryKey: ["me"] as const,
  staleTime: 30_000,
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await ask(office.GET("/office/api/session", { signal }));
    } catch (error) {
      if (isApiError(error, "session.required")) return null;
      throw error;
    }
  },
});

export function logIn(body: Schemas["StaffLogin"]): Promise<Me> {
  return ask(office.POST("/office/api/session/login", { body }));
}

export function logOut(): Promise<unknown> {
  return ask(office.POST("/office/api/session/logout"));
}

/** Shows once more who one is; for ten minutes the session is then good for what is grave. */
export function prove(body: Schemas["StaffProof"]): Promise<unknown> {
  return ask(office.POST("/office/api/session/proof", { body }));
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/session/list", { signal })),
});

export function endSession(id: string): Promise<unknown> {
  return ask(office.DELETE("/office/api/session/list/{id}", { params: { path: { id } } }));
}

export function changePassword(body: Schemas["StaffPassword"]): Promise<unknown> {
  return ask(office.POST("/office/api/session/password", { body }));
}

export const peopleQuery = queryOptions({
  queryKey: ["people"] as const,
  staleTime: 30_000,
  queryFn: ({ signal }) => ask(office.GET("/office/api/staff", { signal })),
});

export function addPerson(body: Schemas["AddPerson"]): Promise<Secrets> {
  return ask(office.POST("/office/api/staff", { body }));
}

export function takePeople(body: Schemas["FindPeople"]): Promise<void> {
  return takeFile(office.POST("/office/api/staff/export", { body, parseAs: "blob" }));
}

export function changePerson(id: string, body: Schemas["ChangePerson"]): Promise<Person> {
  return ask(office.PUT("/office/api/staff/{id}", { params: { path: { id } }, body }));
}

export function resetPerson(id: string, body: Schemas["Why"]): Promise<Secrets> {
  return ask(office.POST("/office/api/staff/{id}/reset", { params: { path: { id } }, body }));
}

export const rolesQuery = queryOptions({
  queryKey: ["roles"] as const,
  staleTime: 30_000,
  queryFn: ({ signal }) => ask(office.GET("/office/api/roles", { signal })),
});

export function changeRole(name: string, body: Schemas["ChangeRole"]): Promise<Role> {
  return ask(office.PUT("/office/api/roles/{name}", { params: { path: { name } }, body }));
}

export const trailKey = ["trail"] as const;

export const trailQuery = (body: FindRows) =>
  queryOptions({
    queryKey: [...trailKey, body] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask(office.POST("/office/api/trail/find", { body, signal })),
  });

export function checkTrail(): Promise<TrailCheck> {
  return ask(office.GET("/office/api/trail/check"));
}

export function takeTrail(body: FindRows): Promise<void> {
  return takeFile(office.POST("/office/api/trail/export", { body, parseAs: "blob" }));
}
