import { useState } from "react";
import { isApiError } from "@/lib/api/error";
import { useSession } from "./session";

/** Which field the server's refusals of a code of the second factor are about. */
export const factorRefusals = {
  "session.two_factor_needed": "twoFactorCode",
  "session.two_factor_invalid": "twoFactorCode",
} as const;

/**
 * Whether a form asks for a code of the second factor: of whoever has one, unless it was shown a moment ago. That it is
 * needed all the same only the server may know, as the factor may have been turned on elsewhere.
 */
export function useFactor(isFresh = false) {
  const { member } = useSession();
  const [isLate, setLate] = useState(false);
  const learn = (error: unknown) => {
    if (isApiError(error, "session.two_factor_needed")) setLate(true);
  };
  return { asks: isLate || (!isFresh && member?.twoFactor === true), isLate, learn };
}

/** The code as the server takes it; nothing where none was asked for. */
export function factorCode(asks: boolean, typed: string): { twoFactorCode?: string } {
  return asks ? { twoFactorCode: typed.replaceAll(/\s/g, "") } : {};
}
