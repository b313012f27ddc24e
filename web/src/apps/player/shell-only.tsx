import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider } from "@tanstack/react-router";
import { PageSkeleton } from "./page-states";
import type { createPlayerRouter } from "./router";
import { Shell } from "./shell/shell";

type ShellOnlyProps = { client: QueryClient; router: ReturnType<typeof createPlayerRouter> };

/** The shell around a skeleton; used only at build time. */
export function ShellOnly({ client, router }: ShellOnlyProps) {
  return (
    <QueryClientProvider client={client}>
      <RouterContextProvider router={router}>
        <Shell>
          <PageSkeleton />
        </Shell>
      </RouterContextProvider>
    </QueryClientProvider>
  );
}
