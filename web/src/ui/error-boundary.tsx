import { Component, type ReactNode } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "./button";

type Props = { children: ReactNode; onLeave: () => void };

/** Catches a fault of the part below it and shows a sentence and a way on, instead of an empty page. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return <Fault onLeave={this.props.onLeave} onRetry={() => this.setState({ failed: false })} />;
  }
}

/** The sentence and the two ways on: try again, or leave. */
export function Fault({ onRetry, onLeave }: { onRetry: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-4 p-6">
      <p className="display text-xl">{t("fault.title")}</p>
      <p className="text-muted">{t("fault.text")}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="main" onClick={onRetry}>
          {t("fault.retry")}
        </Button>
        <Button onClick={onLeave}>{t("fault.leave")}</Button>
      </div>
    </div>
  );
}
