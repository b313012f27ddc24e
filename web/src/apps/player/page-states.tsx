import { type ErrorComponentProps, useNavigate, useRouter } from "@tanstack/react-router";
import { useT } from "@/lib/i18n/i18n";
import { Fault } from "@/ui/error-boundary";
import { Skeleton } from "@/ui/skeleton";

/** A page that is still loading. */
export function PageSkeleton() {
  const t = useT();
  return (
    <div className="grid gap-5" aria-busy="true">
      <span className="sr-only">{t("loading")}</span>
      <Skeleton className="h-10 w-2/3 max-w-md" />
      <Skeleton className="h-5 w-full max-w-2xl" />
      <Skeleton className="h-96 w-full" />
    </div>
  );
}

/** A page that failed: a sentence, another try, the way home. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const navigate = useNavigate();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <Fault error={error} onRetry={retry} onLeave={() => void navigate({ to: "/" })} />;
}
