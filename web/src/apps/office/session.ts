import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { create } from "zustand";
import { isApiError } from "@/lib/api/error";
import { type Me, listenToCalls, meQuery } from "./api";
import { noteUse, watchUse } from "./idle";
import type { Right } from "./rights";

/** Whether the session ended without anybody asking for it: the log-in page then says so. */
export const useIsOver = create<{ isOver: boolean }>(() => ({ isOver: false }));

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext;

/** Who is logged in, for everything inside the shell. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error("outside of the shell nobody is logged in");
  return me;
}

/** Whether somebody has a right, or one of some; what asks for none is open to all. */
export function may(me: Me, right: Right | readonly Right[] | null): boolean {
  if (right === null) return true;
  const rights: readonly Right[] = typeof right === "string" ? [right] : right;
  return rights.some((one) => me.rights.includes(one));
}

export function useMay(right: Right): boolean {
  return may(useMe(), right);
}

/** Somebody came in. */
export function enter(client: QueryClient, me: Me): void {
  useIsOver.setState({ isOver: false });
  client.setQueryData(meQuery.queryKey, me);
}

/** Nobody is in any more: what was loaded for the last person is forgotten. */
export function leave(client: QueryClient, isOver: boolean): void {
  useIsOver.setState({ isOver });
  client.setQueryData(meQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
}

/** Keeps what the page believes about the session in step with what the server says. */
export function followSession(client: QueryClient): void {
  const askAgain = () => void client.invalidateQueries({ queryKey: meQuery.queryKey });
  listenToCalls({
    onAnswer: noteUse,
    onRefusal: (error) => {
      const isIn = Boolean(client.getQueryData(meQuery.queryKey));
      if (isApiError(error, "session.required") && isIn) leave(client, true);
      // The roles have changed meanwhile.
      if (isApiError(error, "staff.not_allowed")) askAgain();
    },
  });
  watchUse(() => {
    if (client.getQueryData(meQuery.queryKey)) askAgain();
  });
}
