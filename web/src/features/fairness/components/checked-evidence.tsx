import { useQuery } from "@tanstack/react-query";

import { type Evidence, checkEvidence } from "@/lib/fair/check";
import { Skeleton } from "@/ui/skeleton";

import { CheckSteps } from "./check-steps";
import { Verdict } from "./verdict";

/** Works the evidence out and shows the verdict with every step. */
export function CheckedEvidence({ evidence }: { evidence: Evidence }) {
  const check = useQuery({
    queryKey: ["fair", "check", evidence] as const,
    queryFn: () => checkEvidence(evidence),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The steps are longer than a window: what stands below them is not seen before nor after.
  if (!check.data) return <Skeleton className="h-screen" />;
  return (
    <div className="grid min-w-0 gap-6">
      <Verdict verdict={check.data.verdict} />
      <CheckSteps check={check.data} />
    </div>
  );
}
