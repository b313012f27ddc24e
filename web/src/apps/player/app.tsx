import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { createPlayerRouter } from "./router";

type AppProps = { client: QueryClient; router: ReturnType<typeof createPlayerRouter> };

export function App({ client, router }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
