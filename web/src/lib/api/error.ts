import type { ErrorCode } from "./types";

/** Two codes are ours: `network`, no answer came; `insecure`, the address does not allow sealing. */
export type FailureCode = ErrorCode | "network" | "insecure";

/** How many characters a field may have. */
export type Bounds = { min: number; max: number };

/** What a refusal tells beside its code. */
type Details = {
  /** Field name → short code. */
  fields?: Record<string, string>;
  bounds?: Record<string, Bounds>;
  value?: unknown;
  retryAfter?: number | undefined;
};

/** The one error that API calls throw. `code` is what the page acts on, `fields` belongs to a form. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly fields: Readonly<Record<string, string>>;
  readonly bounds: Readonly<Record<string, Bounds>>;
  /** What the answer carries although it is a refusal: that a captcha is asked for from now on, say. */
  readonly value: unknown;
  /** After how many seconds it is worth trying again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: FailureCode, message: string, details: Details = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.fields = details.fields ?? {};
    this.bounds = details.bounds ?? {};
    this.value = details.value ?? null;
    this.retryAfter = details.retryAfter;
  }
}

export function isApiError(error: unknown, code?: FailureCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

type Failure = { code: FailureCode; message: string } & Details;

function isFailure(body: unknown): body is Failure {
  return (
    typeof body === "object" &&
    body !== null &&
    "code" in body &&
    typeof body.code === "string" &&
    "message" in body &&
    typeof body.message === "string"
  );
}

/** What a failed answer says; an answer outside the envelope (a proxy's page, say) counts as a server fault. */
export function failureOf(status: number, body: unknown, after: string | null = null): ApiError {
  const retryAfter = Number(after) || undefined;
  if (isFailure(body))
    return new ApiError(status, body.code, body.message, { ...body, retryAfter });
  const code = status >= 500 ? "server.unavailable" : "server.internal";
  return new ApiError(status, code, `HTTP ${status}`, { retryAfter });
}

export function networkFailure(): ApiError {
  return new ApiError(0, "network", "Network link is abnormal, please try again");
}
