import { create } from "zustand";
import type { ErrorCode } from "@/lib/api/types";

const needed: ErrorCode = "staff.proof_needed";

type Asking = { settle: ((isProved: boolean) => void) | null };

/** What becomes of the calls that wait until somebody has shown who they are; null while none does. */
export const useProof = create<Asking>(() => ({ settle: null }));

let asked: Promise<boolean> | null = null;

/** Has somebody asked who they are: whether they showed it. Calls that wait at the same time are told by one answer. */
function askForProof(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const settle = (isProved: boolean) => {
      // An answer that comes late is none to a question that was asked since.
      if (useProof.getState().settle !== settle) return;
      asked = null;
      useProof.setState({ settle: null });
      resolve(isProved);
    };
    useProof.setState({ settle });
  });
  return asked;
}

let timesGivenUp = 0;

/**
 * Nobody can be asked any more: the session is over, or the page is left that wanted to know. Nor will anybody be for
 * the calls that are still under way.
 */
export function giveUpProof(): void {
  timesGivenUp += 1;
  useProof.getState().settle?.(false);
}

async function needsProof(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && body.code === needed;
}

/**
 * Sends a call. What is grave the server does only for those who have shown within the last minutes who they are; where
 * it is longer ago they are asked here, and then the very same call is sent once more. Whoever gives up gets the refusal,
 * as does whoever has left before it came: the question would lie over a page, or before a person, that sent nothing.
 */
export async function sendProved(request: Request): Promise<Response> {
  if (request.method === "GET") return globalThis.fetch(request);
  const again = request.clone();
  const before = timesGivenUp;
  const answer = await globalThis.fetch(request);
  if (!(await needsProof(answer)) || timesGivenUp !== before) return answer;
  return (await askForProof()) ? sendProved(again) : answer;
}
