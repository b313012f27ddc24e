import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Schemas, ask, office } from "../api";

export type Health = Schemas["HealthView"];
export type Verdict = Schemas["Verdict"];
export type Finding = Schemas["ServiceFinding"];
export type State = Schemas["ServiceState"];
export type CheckHealth = Schemas["CheckHealth"];
export type JobKind = Schemas["JobKind"];
export type DeadJob = Schemas["DeadJob"];
export type Message = Schemas["MessageView"];
export type MessageText = Schemas["MessageText"];
export type Outside = Schemas["OutsideView"];
export type OutsideName = Schemas["OutsideService"];
export type Tried = Schemas["OutsideTried"];
export type Outcome = Schemas["OutsideOutcome"];
export type FindMessages = Schemas["FindMessages"];

export const healthQuery = queryOptions({
  queryKey: ["service", "health"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/service/health", { signal })),
});

export function askCheck(what: Schemas["ServiceCheck"], reason: string): Promise<unknown> {
  return ask(office.POST("/office/api/service/checks", { body: { what, reason } }));
}

export const jobsKey = ["service", "jobs"] as const;

export const jobsQuery = queryOptions({
  queryKey: [...jobsKey, "kinds"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/service/jobs", { signal })),
});

export const deadJobsQuery = (before: string | undefined) =>
  queryOptions({
    queryKey: [...jobsKey, "dead", before] as const,
    queryFn: ({ signal }) => {
      const query = before === undefined ? {} : { before };
      return ask(office.GET("/office/api/service/jobs/dead", { params: { query }, signal }));
    },
  });

export function retryJob(id: string, reason: string): Promise<unknown> {
  const params = { path: { id } };
  return ask(office.POST("/office/api/service/jobs/{id}/retry", { params, body: { reason } }));
}

export const messagesKey = ["service", "messages"] as const;

export const messagesQuery = (body: FindMessages) =>
  queryOptions({
    queryKey: [...messagesKey, body] as const,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(office.POST("/office/api/service/messages/find", { body, signal })),
  });

export function openMessage(id: string, reason: string): Promise<MessageText> {
  const params = { path: { id } };
  return ask(office.POST("/office/api/service/messages/{id}/open", { params, body: { reason } }));
}

export function resendMessage(id: string, reason: string): Promise<unknown> {
  const params = { path: { id } };
  return ask(office.POST("/office/api/service/messages/{id}/resend", { params, body: { reason } }));
}

export const outsideQuery = queryOptions({
  queryKey: ["service", "outside"] as const,
  queryFn: ({ signal }) => ask(office.GET("/office/api/service/outside", { signal })),
});

export function tryOutside(name: OutsideName, body: Schemas["TryOutside"]): Promise<Tried> {
  const params = { path: { name } };
  return ask(office.POST("/office/api/service/outside/{name}/try", { params, body }));
}
