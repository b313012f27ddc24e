import { useRouter } from "@tanstack/react-router";
import { useSession } from "@/features/auth/session";
import { loadPart } from "@/lib/lazy";
import type { Launchable } from "./launch";

/** Starts whatever somebody chose, by the rules of launch. Every tile uses this. The rules come when they are needed. */
export function useLaunch(): (item: Launchable) => void {
  const { kind } = useSession();
  const { history } = useRouter();
  return (item) =>
    void loadPart(() => import("./start")).then(({ start }) =>
      start(item, kind, (href) => history.push(href)),
    );
}
