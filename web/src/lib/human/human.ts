import { call, isApiError } from "@/lib/api/client";
import { ApiError } from "@/lib/api/error";
import type { Challenge, Solution } from "./solve";
// oxlint-disable-next-line import/default -- the bundler makes it
import workerUrl from "./worker?worker&url";

/** Longer than the hardest challenge takes on a slow phone. */
const patience = 120_000;

type ScriptUrls = { createScriptURL: (url: string) => unknown };
type TrustedTypes = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => ScriptUrls;
};

let urls: ScriptUrls | null = null;

/** The page may start scripts by address through this policy alone, and only the one worker. */
function trustedUrl(): string | URL {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return workerUrl;
  urls ??= trustedTypes.createPolicy("capiz-worker", { createScriptURL: () => workerUrl });
  return urls.createScriptURL(workerUrl) as string;
}

function work(challenge: Challenge): Promise<Solution> {
  const worker = new Worker(trustedUrl(), { type: "module" });
  const solved = new Promise<Solution>((resolve, reject) => {
    const fail = () => reject(new ApiError(0, "session.human_check", "The check did not finish"));
    const timer = setTimeout(fail, patience);
    worker.addEventListener("error", fail);
    worker.addEventListener("message", ({ data }: MessageEvent<Solution | null>) => {
      clearTimeout(timer);
      if (data) resolve(data);
      else fail();
    });
    worker.postMessage(challenge);
  });
  return solved.finally(() => worker.terminate());
}

/** The proof as it goes into a request. */
export function payloadOf(challenge: Challenge, solution: Solution): string {
  return btoa(JSON.stringify({ challenge, solution }));
}

/** The harder challenge that a refusal brings. */
function challengeOf(refusal: ApiError | undefined): Challenge | undefined {
  return (refusal?.value as { challenge?: Challenge } | null | undefined)?.challenge;
}

/**
 * Does the work that the server asks of a browser before it looks at a password or sends a code: what a refusal
 * has asked for, or else a new challenge. Each proof is good once. A server that knows no challenges asks for none.
 */
export async function proveHuman(refusal?: ApiError): Promise<string | undefined> {
  try {
    const challenge =
      challengeOf(refusal) ?? (await call<Challenge>("GET", "/wps/captcha/challenge"));
    return payloadOf(challenge, await work(challenge));
  } catch (error) {
    if (isApiError(error, "request.not_found")) return undefined;
    throw error;
  }
}
