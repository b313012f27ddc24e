import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api/error";

/** A refusal is final; only a lost line or a busy server is worth another try. */
export function worthRetrying(failures: number, error: Error): boolean {
  const passing = error instanceof ApiError && (error.code === "network" || error.status >= 502);
  return passing && failures < 2;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: worthRetrying, refetchOnWindowFocus: false } },
  });
}
