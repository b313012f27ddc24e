import { ErrorBoundary } from "@/ui/error-boundary";
import { Toasts } from "@/ui/toast";
import { LoginPage } from "./login-page";
import { OfficeBar } from "./office-bar";

export function OfficeApp() {
  return (
    <ErrorBoundary onLeave={() => location.reload()}>
      <div className="grid min-h-dvh grid-rows-[auto_1fr]">
        <OfficeBar />
        <LoginPage />
      </div>
      <Toasts />
    </ErrorBoundary>
  );
}
