import { ApiError, failureOf, networkFailure } from "./error";
import { clearSession, readMerchant, readToken } from "./token";
import { type Method, isAbort, typedCalls } from "./typed";

export { ApiError, isApiError } from "./error";

const sessionEnded = new Set<() => void>();

/** Tells when the server no longer knows our token (the token is already cleared then). */
export function onSessionEnded(listener: () => void): () => void {
  sessionEnded.add(listener);
  return () => sessionEnded.delete(listener);
}

const toComplete = new Set<() => void>();

/** Tells when the server wants the registration completed first. */
export function onToComplete(listener: () => void): () => void {
  toComplete.add(listener);
  return () => toComplete.delete(listener);
}

export function requestHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const token = readToken();
  const merchant = readMerchant();
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (merchant) headers["Merchant"] = merchant;
  return headers;
}

/** The calls of the API document. Wrap every one in `unwrap`. */
export const api = typedCalls(requestHeaders);

type Answer<B> = { data?: B; error?: unknown; response: Response };

type ValueOf<B> = B extends { value?: infer V } ? Exclude<V, undefined> : never;

/** The value of the envelope, or an `ApiError`. */
export async function unwrap<B extends object>(call: Promise<Answer<B>>): Promise<ValueOf<B>> {
  const sentToken = readToken();
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw isAbort(cause) || cause instanceof ApiError ? cause : networkFailure();
  });
  if (data !== undefined && response.ok) return (data as { value: ValueOf<B> }).value;
  throw noticed(failureOf(response.status, error), sentToken);
}

/** Acts on refusals that are about more than their call. A refused token ends the session, unless another login replaced it while the call was under way. */
export function noticed(failure: ApiError, sentToken: string | null): ApiError {
  if (failure.code === "session.required" && sentToken !== null && sentToken === readToken()) {
    clearSession();
    for (const listener of sessionEnded) listener();
  }
  if (failure.code === "member.to_complete") for (const listener of toComplete) listener();
  return failure;
}

export type { Method } from "./typed";
type Sent = {
  /** Sent as JSON, or form-encoded where it is `URLSearchParams`. */
  body?: object;
  /** Of the JSON. */
  type?: string;
  signal?: AbortSignal;
};

/** A call whose types its feature knows: the value of the envelope, or an `ApiError`. */
export async function call<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  const sentToken = readToken();
  const { body, type = "application/json", signal } = sent;
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(path, {
    method,
    headers: {
      ...requestHeaders(),
      ...(body && !isForm && { "Content-Type": type }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw isAbort(cause) ? cause : networkFailure();
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && isEnvelope<T>(answer)) return answer.value;
  throw noticed(failureOf(response.status, answer, response.headers.get("Retry-After")), sentToken);
}

function isEnvelope<T>(answer: unknown): answer is { value: T } {
  return typeof answer === "object" && answer !== null && "value" in answer;
}
