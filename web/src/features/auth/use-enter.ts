import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { loadPart } from "@/lib/lazy";
import { type LoginAnswer, withdraw } from "./api";
import type { EnterKind, EnterOptions } from "./enter";

/**
 * Takes a fresh login in. What that takes is loaded when somebody comes. Whoever has closed the form meanwhile has given
 * the log-in up; `anyway` is for what makes more than a session, of which one must hear.
 */
export function useEnter(
  late?: "anyway",
): (kind: EnterKind, view: LoginAnswer, options?: EnterOptions) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return async (kind, view, options) => {
    const { enter } = await loadPart(() => import("./enter"));
    if (isShown.current || late) await enter({ client, router }, kind, view, options);
    else withdraw(view);
  };
}
