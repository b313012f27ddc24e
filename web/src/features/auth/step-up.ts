import { isApiError } from "@/lib/api/error";
import { errorKey } from "@/lib/api/error-text";
import type { Key } from "@/lib/i18n/i18n";

/** What stands above a form that asks for secrets. Wrong ones are counted for longer than requests are. */
export function stepUpFault(error: unknown): Key {
  return isApiError(error, "request.too_many") ? "error.too_many_tries" : errorKey(error);
}
