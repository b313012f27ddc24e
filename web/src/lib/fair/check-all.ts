import { type Check, checkEvidence } from "./check";
import type { Found } from "./evidence";

/** What came of the check of one of many rounds. */
export type Checked = { found: Found; state: Check["verdict"] | "secret" };

/** Checks rounds one after the other; a page stays usable meanwhile. */
export async function checkAll(
  found: readonly Found[],
  onCount?: (count: number) => void,
): Promise<Checked[]> {
  const all: Checked[] = [];
  for (const one of found) {
    const state = one.evidence ? (await checkEvidence(one.evidence)).verdict : "secret";
    all.push({ found: one, state });
    if (all.length % 50 === 0) {
      onCount?.(all.length);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return all;
}
