import type { QueryClient } from "@tanstack/react-query";

import { balanceQuery } from "@/features/wallet/api";
import type { Balance } from "@/lib/api/types";
import { newerBalance } from "@/lib/push/apply";

const { queryKey } = balanceQuery;

/**
 * Keeps the balance that the whole page shows as it is while a game shows a result: the push comes at once, and would
 * tell how the round ends. What came meanwhile counts afterwards.
 */
export class BalanceHold {
  private before: Balance | undefined;
  private next: Balance | undefined;
  private stop: (() => void) | null = null;

  constructor(private readonly client: QueryClient) {}

  hold(): void {
    if (this.stop) return;
    this.before = this.client.getQueryData(queryKey);
    this.next = undefined;
    if (!this.before) return;
    this.stop = this.client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== "updated" || query.queryHash !== this.hash) return;
      const told = query.state.data as Balance | undefined;
      if (!told || isSame(told, this.before)) return;
      this.next = newerBalance(this.next, told);
      this.client.setQueryData(queryKey, this.before);
    });
  }

  release(): void {
    this.stop?.();
    this.stop = null;
    const { next } = this;
    this.next = undefined;
    if (next) this.client.setQueryData(queryKey, (old) => newerBalance(old, next));
  }

  private get hash(): string | undefined {
    return this.client.getQueryCache().find({ queryKey })?.queryHash;
  }
}

const isSame = (one: Balance, other: Balance | undefined): boolean =>
  one.version === other?.version && one.currency === other.currency;
