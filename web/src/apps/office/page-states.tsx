import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { Fault } from "@/ui/error-boundary";
import { Skeleton } from "@/ui/skeleton";
import { OfficeLink, useGo } from "./address";
import { rightText } from "./rights";

export function PageSkeleton() {
  const t = useT();
  return (
    <div className="grid gap-4" aria-busy="true">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}

/** A page that failed: a sentence, another try, the way to the desk. */
export function PageFault({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const go = useGo();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <Fault onRetry={retry} onLeave={() => go("/")} />;
}

function Plain({ title, children }: { title: string; children: ReactNode }) {
  const t = useT();
  return (
    <section className="grid max-w-xl justify-items-start gap-4 py-8">
      <h1 className="display text-2xl">{title}</h1>
      {children}
      <OfficeLink to="/" className={buttonClass("plain", "sm")}>
        {t("office.to_desk")}
      </OfficeLink>
    </section>
  );
}

/** A page that one's roles do not open. */
export function NotAllowed({ right }: { right: string | null }) {
  const t = useT();
  return (
    <Plain title={t("error.staff_not_allowed")}>
      <p className="text-muted">{t("office.not_allowed_text", right ? rightText(right, t) : "")}</p>
    </Plain>
  );
}

export function NotFound() {
  const t = useT();
  return (
    <Plain title={t("error.not_found")}>
      <p className="text-muted">{t("not_found.text")}</p>
    </Plain>
  );
}

/** A list that could not be loaded: why, and another try. */
export function ListFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>{errorText(error, t)}</p>
      <Button size="sm" onClick={onRetry}>
        {t("fault.retry")}
      </Button>
    </div>
  );
}
