import { isApiError } from "./error";

/** For how long somebody is kept waiting before it is said that there is no getting through. */
const patience = 90_000;

/**
 * Makes a call that may meet a crowd. The server then says when it is worth coming back; the page comes back by itself
 * instead of asking people to press the button again. Nothing of the call was used up: it was turned away at the door.
 */
export async function patiently<T>(make: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await make();
    } catch (error) {
      const wait = waitOf(error);
      if (wait === null || Date.now() + wait > end) throw error;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** Within the last of the seconds that the server says: it gives everybody a moment, but tells it in whole seconds. */
function waitOf(error: unknown): number | null {
  if (!isApiError(error, "server.unavailable")) return null;
  return error.retryAfter === undefined ? null : (error.retryAfter - Math.random()) * 1000;
}
