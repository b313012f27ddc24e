import { Component, type ReactNode } from "react";
import { isApiError } from "@/lib/api/error";
import { type Key, useT } from "@/lib/i18n/i18n";
import { LoadFault } from "@/lib/lazy";
import { Button } from "./button";

type Props = { children: ReactNode; onLeave: () => void; onRetry?: () => void };

/** What is said about a fault: a slow or broken line is no fault of the page. */
function wordsFor(error: unknown): Key {
  if (error instanceof LoadFault && error.why === "late") return "fault.late";
  return error instanceof LoadFault || isApiError(error, "network")
    ? "error.network"
    : "fault.text";
}

/** Catches a fault of the part below it and shows a sentence and a way on, instead of an empty page. */
export class ErrorBoundary extends Component<Props, { fault: { error: unknown } | null }> {
  override state: { fault: { error: unknown } | null } = { fault: null };

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } };
  }

  override render() {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    const retry = () => {
      this.props.onRetry?.();
      this.setState({ fault: null });
    };
    return <Fault error={fault.error} onLeave={this.props.onLeave} onRetry={retry} />;
  }
}

type FaultProps = { error?: unknown; onRetry: () => void; onLeave: () => void };

/** The sentence and the two ways on: try again, or leave. */
export function Fault({ error, onRetry, onLeave }: FaultProps) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-4 p-6">
      <p className="display text-xl">{t("fault.title")}</p>
      <p className="text-muted">{t(wordsFor(error))}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="main" onClick={onRetry}>
          {t("fault.retry")}
        </Button>
        <Button onClick={onLeave}>{t("fault.leave")}</Button>
      </div>
    </div>
  );
}
