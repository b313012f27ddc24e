import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { loadPart } from "@/lib/lazy";
import type { LoginAnswer } from "./api";
import type { EnterKind, EnterOptions } from "./enter";

/** Takes a fresh login in. What that takes is loaded when somebody comes. */
export function useEnter(): (
  kind: EnterKind,
  view: LoginAnswer,
  options?: EnterOptions,
) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (kind, view, options) => {
    const { enter } = await loadPart(() => import("./enter"));
    await enter({ client, router }, kind, view, options);
  };
}
