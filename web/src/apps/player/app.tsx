import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useLayoutEffect } from "react";
import type { createPlayerRouter } from "./router";

type AppProps = {
  client: QueryClient;
  router: ReturnType<typeof createPlayerRouter>;
  /** Called once the page stands where the prerendered one stood. */
  onShown?: () => void;
};

export function App({ client, router, onShown }: AppProps) {
  useLayoutEffect(() => onShown?.(), [onShown]);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
