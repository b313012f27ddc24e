-- The ledger: double entry, append-only. One row per transfer, so that every row balances by
-- construction; house accounts have no row of their own, their balance is a sum.

-- The head of each member's hash chain. Locking it is what orders a member's postings.
create table wallet_chains (
    member_id uuid primary key,
    merchant_id uuid not null,
    seq bigint not null check (seq >= 0),
    hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 50);

-- A member's accounts: main (real or demo money by currency); more kinds follow.
create table wallet_accounts (
    member_id uuid not null references wallet_chains (member_id),
    kind text not null check (kind in ('main')),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    balance bigint not null check (balance >= 0),
    primary key (member_id, kind, currency)
) with (fillfactor = 50);

create table wallet_transfers (
    member_id uuid not null,
    seq bigint not null check (seq > 0),
    merchant_id uuid not null,
    currency text not null,
    -- `main` is the member's account; `house:games` is a house account of the merchant.
    debit text not null,
    credit text not null,
    amount bigint not null check (amount > 0),
    kind text not null,
    -- The client's idempotency key, on the first transfer of a posting, and what it bound.
    key text,
    body_hash bytea check (octet_length(body_hash) = 32),
    -- The record of the domain that caused it, for example a round.
    ref uuid not null,
    -- The member's balances after it; null on a side that is not the member's.
    debit_after bigint check (debit_after >= 0),
    credit_after bigint check (credit_after >= 0),
    at timestamptz not null,
    hash bytea not null check (octet_length(hash) = 32),
    primary key (member_id, seq),
    check (debit <> credit),
    check ((key is null) = (body_hash is null)),
    -- A side has a balance exactly when it is the member's.
    check ((debit like 'house:%') = (debit_after is null)),
    check ((credit like 'house:%') = (credit_after is null)),
    check (debit_after is not null or credit_after is not null),
    -- Demo money never touches real accounts: its house side has names of its own.
    check ((currency = 'FUN') = (debit like 'house:demo%' or credit like 'house:demo%'))
);

-- One effect per key, for ever.
create unique index wallet_transfers_key on wallet_transfers (member_id, key) where key is not null;

grant select, insert, update (seq, hash) on wallet_chains to capiz_server;
grant select, insert, update (balance) on wallet_accounts to capiz_server;
-- Append-only: not even the server may change or remove what was posted.
grant select, insert on wallet_transfers to capiz_server;
