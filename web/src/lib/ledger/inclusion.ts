import { type Units, moneyText } from "@/lib/money/money";

import { FormError, hexBytes, i64, sha256, units, uuidBytes } from "./bytes";

/** The sibling to combine with, and where it stands. */
export type ProofStep = { side: "left" | "right"; hash: string; sum: string };

/** How a member's balance is part of the total of a day, as the server gives it. */
export type InclusionProof = {
  day: string;
  currency: string;
  holderId: string;
  balance: string;
  salt: string;
  steps: ProofStep[];
  root: string;
  total: string;
  leaves: number;
};

/** A node of the tree: a hash and the sum of all balances below it, as decimal text. */
export type TreeNode = { hash: string; sum: string };

/**
 * `nodes` is the way from the member's balance to the root that it leads to, as far as it could be followed.
 * It is proven when that root has the stated hash and total. `form` means that the proof cannot be read,
 * that a sum is negative or that a sum is too large.
 */
export type Inclusion =
  | { ok: true; nodes: readonly TreeNode[] }
  | { ok: false; nodes: readonly TreeNode[]; what: "form" | "root" | "total" };

const MAX = 2n ** 63n - 1n;

export async function verifyInclusion(proof: InclusionProof): Promise<Inclusion> {
  const nodes: TreeNode[] = [];
  try {
    let node = await leafOf(proof);
    nodes.push(node);
    for (const step of proof.steps) {
      node = await parentOf(node, step);
      nodes.push(node);
    }
    return { nodes, ...verdictOf(node, proof) };
  } catch (error) {
    if (error instanceof FormError) return { ok: false, nodes, what: "form" };
    throw error;
  }
}

function verdictOf(
  found: TreeNode,
  { root, total }: InclusionProof,
): { ok: true } | { ok: false; what: "root" | "total" } {
  if (found.hash !== root) return { ok: false, what: "root" };
  return found.sum === total ? { ok: true } : { ok: false, what: "total" };
}

async function leafOf({ salt, holderId, balance }: InclusionProof): Promise<TreeNode> {
  const own = sumOf(balance);
  const parts = [new Uint8Array([0]), hexBytes(salt, 32), uuidBytes(holderId), i64(own)];
  return { hash: await sha256(parts), sum: moneyText(own) };
}

async function parentOf(node: TreeNode, step: ProofStep): Promise<TreeNode> {
  if (step.side !== "left" && step.side !== "right") throw new FormError("not a side");
  const [left, right] = step.side === "left" ? [step, node] : [node, step];
  const sum = sumOf(left.sum) + sumOf(right.sum);
  if (sum > MAX) throw new FormError("the sum is too large");
  const parts = [new Uint8Array([1]), ...nodeBytes(left), ...nodeBytes(right)];
  return { hash: await sha256(parts), sum: moneyText(sum) };
}

function nodeBytes({ hash, sum }: TreeNode): readonly Uint8Array[] {
  return [hexBytes(hash, 32), i64(sumOf(sum))];
}

/** A negative sum could hide what is owed to others. */
function sumOf(text: string): Units {
  const sum = units(text);
  if (sum < 0n) throw new FormError("the sum is negative");
  return sum;
}
