import type { InclusionProof } from "@/lib/ledger/inclusion";
import type { Holder, Transfer } from "@/lib/ledger/transfer";

/** The last transfer of a record: its number and its hash. */
export type Head = { seq: number; hash: string };

/** A piece of the member's record. `next` is where the following piece begins. */
export type TransferPage = Holder & { head: Head; content: Transfer[]; next: number | null };

/** What the house owed all members of a currency at the end of a day. */
export type DailyRoot = {
  day: string;
  currency: string;
  root: string;
  total: string;
  leaves: number;
  madeAt: string;
};

export type RootPage = { content: DailyRoot[]; next: string | null };

type Get<Query, Value> = {
  get: {
    parameters: { query?: Query };
    responses: {
      200: { content: { "application/json": { success: boolean; value: Value } } };
    };
  };
};

/** The calls of the ledger in the form of the generated `paths`, which do not list them yet. */
export type LedgerPaths = {
  "/wps/v2/wallets/transfers": Get<
    { limit?: number; before?: number; after?: number },
    TransferPage
  >;
  "/wps/v2/wallets/proof": Get<{ day?: string }, InclusionProof>;
  "/wps/v2/proofs": Get<{ limit?: number; before?: string }, RootPage>;
};
