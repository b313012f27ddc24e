import type { Key } from "@/lib/i18n/i18n";

/** A sentence for money that enters the account told about, and one for money that leaves it. */
type Reason = { in: Key; out: Key };

/** Every reason why money moves, as a member is told. */
const reasons: Readonly<Record<string, Reason>> = {
  welcome: { in: "ledger.welcome_in", out: "ledger.welcome_out" },
  stake: { in: "ledger.stake_in", out: "ledger.stake_out" },
  payout: { in: "ledger.payout_in", out: "ledger.payout_out" },
  deposit: { in: "ledger.deposit_in", out: "ledger.deposit_out" },
  withdrawal: { in: "ledger.withdrawal_in", out: "ledger.withdrawal_out" },
  hold: { in: "ledger.hold_in", out: "ledger.hold_out" },
  release: { in: "ledger.release_in", out: "ledger.release_out" },
  send: { in: "ledger.send_in", out: "ledger.send_out" },
  receive: { in: "ledger.receive_in", out: "ledger.receive_out" },
  vendor_in: { in: "ledger.vendor_in_in", out: "ledger.vendor_in_out" },
  vendor_out: { in: "ledger.vendor_out_in", out: "ledger.vendor_out_out" },
  bonus: { in: "ledger.bonus_in", out: "ledger.bonus_out" },
  bonus_paid: { in: "ledger.bonus_paid_in", out: "ledger.bonus_paid_out" },
  bonus_ended: { in: "ledger.bonus_ended_in", out: "ledger.bonus_ended_out" },
  points_earned: { in: "ledger.points_earned_in", out: "ledger.points_earned_out" },
  points_spent: { in: "ledger.points_spent_in", out: "ledger.points_spent_out" },
  points_paid: { in: "ledger.points_paid_in", out: "ledger.points_paid_out" },
  rebate: { in: "ledger.rebate_in", out: "ledger.rebate_out" },
  commission: { in: "ledger.commission_in", out: "ledger.commission_out" },
  correction: { in: "ledger.correction_in", out: "ledger.correction_out" },
  reversal: { in: "ledger.reversal_in", out: "ledger.reversal_out" },
  pool_in: { in: "ledger.pool_in_in", out: "ledger.pool_in_out" },
  pool_out: { in: "ledger.pool_out_in", out: "ledger.pool_out_out" },
  jackpot: { in: "ledger.jackpot_in", out: "ledger.jackpot_out" },
  jackpot_fed: { in: "ledger.jackpot_fed_in", out: "ledger.jackpot_fed_out" },
};

/** A reason that this page does not know yet is shown by its code. */
const other: Reason = { in: "ledger.other_in", out: "ledger.other_out" };

export const reasonCodes: readonly string[] = Object.keys(reasons);

export function reasonKey(kind: string, way: keyof Reason): Key {
  return (Object.hasOwn(reasons, kind) ? reasons[kind] : undefined)?.[way] ?? other[way];
}

const accounts: Readonly<Record<string, Key>> = {
  main: "ledger.account_main",
  held: "ledger.account_held",
  bonus: "ledger.account_bonus",
  points: "ledger.account_points",
  "house:games": "ledger.house_games",
  "house:promotions": "ledger.house_promotions",
  "house:bank": "ledger.house_bank",
  "house:transit": "ledger.house_transit",
  "house:fees": "ledger.house_fees",
  "house:agents": "ledger.house_agents",
  "house:loyalty": "ledger.house_loyalty",
  "house:corrections": "ledger.house_corrections",
  "house:points": "ledger.house_points",
};

/** The name of an account in words; `name` fills its place where the account has a name of its own. */
export type AccountName = { key: Key; name: string; demo: boolean };

export function accountName(account: string): AccountName {
  const demo = account.startsWith("house:demo-");
  const plain = demo ? account.replace("house:demo-", "house:") : account;
  const known = Object.hasOwn(accounts, plain) ? accounts[plain] : undefined;
  if (known) return { key: known, name: "", demo };
  const named = /^(vendor|house:provider):(.+)$/.exec(plain);
  if (!named) return { key: "ledger.account_other", name: plain.replace("house:", ""), demo };
  const key = named[1] === "vendor" ? "ledger.account_vendor" : "ledger.house_provider";
  return { key, name: named[2] ?? "", demo };
}
