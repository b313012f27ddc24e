import { queryOptions } from "@tanstack/react-query";
import { type ReactNode, Suspense, lazy } from "react";
import { api, unwrap } from "@/lib/api/client";
import { type Boot, type SiteStatus, getBoot, setBoot } from "@/lib/boot/boot";
import { loadPart } from "@/lib/lazy";
import { pushed } from "@/lib/push/keys";

const loadClosed = () => loadPart(() => import("./closed-site"));
const ClosedSite = lazy(loadClosed);

const askAgainAfter = 30_000;

/** The boot data: they come with the document, and again whenever the operator has changed a setting. */
export const bootQuery = queryOptions({
  queryKey: pushed.boot,
  queryFn: async ({ signal }): Promise<Boot> => {
    const boot = (await unwrap(api.GET("/wps/system/boot", { signal }))) as unknown as Boot;
    setBoot(boot);
    return boot;
  },
  initialData: getBoot,
  staleTime: Number.POSITIVE_INFINITY,
  // A closed site may also have no push: whoever waits must not miss that it is open again.
  refetchInterval: ({ state }) => (state.data?.status ? askAgainAfter : false),
});

/** Fetches what a closed site shows, so that it stands there at once. */
export async function readyGate({ status }: Boot): Promise<void> {
  if (status !== 0) await loadClosed();
}

/** Shows the site, the maintenance page or the region page. */
export function SiteGate({ status, children }: { status: SiteStatus; children: ReactNode }) {
  if (status === 0) return children;
  return (
    <Suspense>
      <ClosedSite status={status} />
    </Suspense>
  );
}
