import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { ErrorBoundary } from "@/ui/error-boundary";
import { Toasts } from "@/ui/toast";

type OfficeAppProps = { client: QueryClient; router: AnyRouter };

export function OfficeApp({ client, router }: OfficeAppProps) {
  return (
    <ErrorBoundary onLeave={() => location.reload()}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Toasts />
    </ErrorBoundary>
  );
}
