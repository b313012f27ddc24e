import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { createPortal } from "react-dom";
import { ErrorBoundary } from "@/ui/error-boundary";
import { Toasts } from "@/ui/toast";
import { useHead, useKeptFocus, useTopDialog } from "./open-dialogs";

type OfficeAppProps = { client: QueryClient; router: AnyRouter };

export function OfficeApp({ client, router }: OfficeAppProps) {
  return (
    <ErrorBoundary onLeave={() => location.reload()}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Messages />
    </ErrorBoundary>
  );
}

/** What was done is told in the topmost dialog where one is open. */
function Messages() {
  const dialog = useTopDialog();
  useKeptFocus(dialog);
  useHead(dialog);
  return dialog ? createPortal(<Toasts />, dialog) : <Toasts />;
}
