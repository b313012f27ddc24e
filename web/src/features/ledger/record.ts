import type { Balance, ChainHead, TransferPage } from "@/lib/api/types";
import { type Fault, balanceName, verifyStatement } from "@/lib/ledger/statement";
import { START_HASH, type Transfer } from "@/lib/ledger/transfer";
import { moneyText } from "@/lib/money/money";

/** A member's whole record: what a page of it holds, from the first row on. */
export type WholeRecord = Omit<TransferPage, "next">;

/** What came of a check. `head` and `kept` name a row that is not the one stated, or seen before. */
export type Judgement =
  | { kind: "empty" }
  | { kind: "good"; head: ChainHead; balance: Balance; keptUpTo: number | null }
  | { kind: "bad"; seq: number; what: Fault | "head" | "kept" }
  | { kind: "shown"; computed: string; shown: Balance };

type Load = (after: number) => Promise<TransferPage>;
type Progress = (loaded: number, of: number) => void;

/** Loads all rows. What is added meanwhile is loaded, too, so that the record ends at the stated head. */
export async function loadRecord(load: Load, onProgress: Progress): Promise<WholeRecord> {
  const content: Transfer[] = [];
  for (let after = 0; ;) {
    const { holderId, merchantId, head, content: rows } = await load(after);
    content.push(...rows);
    onProgress(content.length, head.seq);
    const last = rows.at(-1)?.seq ?? 0;
    // An answer that does not lead on would be asked for again for ever.
    if (last <= after || last >= head.seq) return { holderId, merchantId, head, content };
    after = last;
  }
}

/** Checks a record against its own hashes, the stated head, an earlier check and the shown balance. */
export async function judgeRecord(
  record: WholeRecord,
  shown: Balance,
  kept: ChainHead | null,
): Promise<Judgement> {
  const { head, content } = record;
  const verdict = await verifyStatement(content, record);
  if (!verdict.ok) return { kind: "bad", ...verdict.offence };
  const { seq, hash, balances } = verdict.standing;
  if (seq < head.seq) return { kind: "bad", seq: seq + 1, what: "gap" };
  if (hashAt(content, head.seq) !== head.hash) return { kind: "bad", seq: head.seq, what: "head" };
  if (kept && hashAt(content, kept.seq) !== kept.hash) {
    return { kind: "bad", seq: kept.seq, what: "kept" };
  }
  const computed = moneyText(balances.get(balanceName("main", shown.currency)) ?? 0n);
  if (computed !== shown.balance) return { kind: "shown", computed, shown };
  if (seq === 0) return { kind: "empty" };
  return { kind: "good", head: { seq, hash }, balance: shown, keptUpTo: kept?.seq ?? null };
}

function hashAt(content: readonly Transfer[], seq: number): string | undefined {
  return seq === 0 ? START_HASH : content[seq - 1]?.hash;
}

/** How often a record and a balance may miss each other because money moves between the two answers. */
const TRIES = 3;

export async function checkRecord(
  load: Load,
  loadBalance: () => Promise<Balance>,
  onProgress: Progress,
): Promise<Judgement> {
  for (let left = TRIES; ; left -= 1) {
    const record = await loadRecord(load, onProgress);
    const judgement = await judgeRecord(record, await loadBalance(), keptHead(record.holderId));
    if (judgement.kind === "good") keepHead(record.holderId, judgement.head);
    if (judgement.kind !== "shown" || left <= 1) return judgement;
  }
}

const keyOf = (holderId: string) => `record:${holderId}`;

/**
 * The end of the record at the last check in this browser. The chain alone shows that a record fits
 * together; that it is still the same record shows only to somebody who remembers.
 */
export function keptHead(holderId: string): ChainHead | null {
  const match = /^(\d{1,15}) ([0-9a-f]{64})$/.exec(localStorage.getItem(keyOf(holderId)) ?? "");
  return match?.[2] ? { seq: Number(match[1]), hash: match[2] } : null;
}

function keepHead(holderId: string, { seq, hash }: ChainHead): void {
  localStorage.setItem(keyOf(holderId), `${seq} ${hash}`);
}

/** The record as a file: what the server answers, from the first row to the last. */
export function recordFile({ holderId, merchantId, head, content }: WholeRecord): Blob {
  const text = JSON.stringify({ holderId, merchantId, head, content }, null, 1);
  return new Blob([text], { type: "application/json" });
}
