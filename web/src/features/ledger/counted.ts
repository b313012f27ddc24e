import type { DailyRoot, MemberInfo } from "@/lib/api/types";
import { type InclusionProof, type TreeNode, verifyInclusion } from "@/lib/ledger/inclusion";

/**
 * What came of a check: the proof cannot be read (`form`), leads to another root or total than it says,
 * speaks of a root that is not the published one (`public`), or of somebody else's balance (`holder`).
 */
export type Counted = { proof: InclusionProof; nodes: readonly TreeNode[] } & (
  | { ok: true }
  | { ok: false; what: "form" | "root" | "total" | "public" | "holder" }
);

/**
 * A proof holds against what everybody sees: one that leads to a root of its own, or one that was given to
 * two members with the same balance, would prove nothing.
 */
export async function judgeProof(
  proof: InclusionProof,
  published: DailyRoot,
  holderId: string,
): Promise<Counted> {
  const inclusion = await verifyInclusion(proof);
  const { nodes } = inclusion;
  if (!inclusion.ok) return { proof, nodes, ok: false, what: inclusion.what };
  if (proof.holderId !== holderId) return { proof, nodes, ok: false, what: "holder" };
  const same = (["day", "currency", "root", "total"] as const).every(
    (name) => proof[name] === published[name],
  );
  return same ? { proof, nodes, ok: true } : { proof, nodes, ok: false, what: "public" };
}

/** An account that is being opened while the balances are read may miss them. */
const GRACE_MS = 60_000;

/** Whether a member joined too late to be in a total; if not, one that is not in it was left out. */
export function joinedAfter(
  { registeredAt }: Pick<MemberInfo, "registeredAt">,
  { madeAt }: Pick<DailyRoot, "madeAt">,
): boolean {
  return Date.parse(registeredAt) > Date.parse(madeAt) - GRACE_MS;
}
