import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { onTokenChange, readToken } from "@/lib/api/token";
import type { MemberInfo } from "@/lib/api/types";
import { memberQuery } from "./api";

/** Who looks at the page. `unknown` lasts until the member info is there: the header stays neutral. */
export type Session =
  | { kind: "unknown"; member: null }
  | { kind: "visitor"; member: null }
  | { kind: "trial"; member: MemberInfo }
  | { kind: "member"; member: MemberInfo };

export function sessionOf(
  token: string | null,
  member: MemberInfo | undefined,
  failed: boolean,
): Session {
  if (token === null) return { kind: "visitor", member: null };
  if (member) return { kind: member.isTrial ? "trial" : "member", member };
  return { kind: failed ? "visitor" : "unknown", member: null };
}

export function useToken(): string | null {
  return useSyncExternalStore(onTokenChange, readToken, () => null);
}

export function useSession(): Session {
  const token = useToken();
  const info = useQuery({ ...memberQuery, enabled: token !== null });
  return sessionOf(token, info.data, info.isError);
}
