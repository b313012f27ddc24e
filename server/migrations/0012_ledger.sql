-- The ledger grows up: whoever holds money is one row, with the head of its hash chain and the
-- balances of its accounts, so that a bet locks and changes one row. What was posted before
-- moves over unchanged, hashes included.

-- A holder is a member, or an escrow: a pool or a contract that keeps money for a purpose.
create table wallet_holders (
    holder_id uuid primary key,
    merchant_id uuid not null,
    kind text not null check (kind in ('member', 'escrow')),
    -- Of main, held, bonus and the vendors' wallets; points are in PTS.
    currency text not null check (octet_length(currency) = 3),
    -- Whether there are rows in wallet_vendors to be locked with it.
    has_vendors boolean not null default false,
    held bigint not null default 0 check (held >= 0),
    bonus bigint not null default 0 check (bonus >= 0),
    points bigint not null default 0 check (points >= 0),
    -- What most postings change stands last: the log then writes only the end of the row.
    main bigint not null default 0 check (main >= 0),
    seq bigint not null default 0 check (seq >= 0),
    hash bytea not null check (octet_length(hash) = 32)
    -- Half-empty pages: a new version of a row stays on its page, no index is touched.
) with (fillfactor = 50);

insert into wallet_holders (holder_id, merchant_id, kind, currency, main, seq, hash)
select c.member_id, c.merchant_id, 'member', a.currency, a.balance, c.seq, c.hash
from wallet_chains c
join wallet_accounts a on a.member_id = c.member_id and a.kind = 'main';

-- Wallets at vendors that keep a balance of their own.
create table wallet_vendors (
    holder_id uuid not null references wallet_holders (holder_id),
    vendor text not null check (vendor ~ '^[A-Z0-9]{2,16}$'),
    balance bigint not null check (balance >= 0),
    primary key (holder_id, vendor)
);

alter table wallet_transfers rename to wallet_transfers_before;
alter index wallet_transfers_pkey rename to wallet_transfers_before_pkey;
drop index wallet_transfers_key;

create table wallet_transfers (
    holder_id uuid not null,
    seq bigint not null check (seq > 0),
    amount bigint not null check (amount > 0),
    -- The holder's balances after it; null on a side that is the house's.
    debit_after bigint check (debit_after >= 0),
    credit_after bigint check (credit_after >= 0),
    at timestamptz not null,
    -- The sequence number of the transfer that this one undoes.
    reverses bigint check (reverses < seq),
    -- The record of the domain that caused it, for example a round.
    ref uuid not null,
    currency text not null,
    -- `main` is an account of the holder; `house:games` one of the holder's merchant.
    debit text not null,
    credit text not null,
    kind text not null,
    -- The idempotency key, on the first transfer of a posting, and what it bound.
    key text collate "C",
    body_hash bytea check (octet_length(body_hash) = 32),
    hash bytea not null check (octet_length(hash) = 32),
    primary key (holder_id, seq),
    check (debit <> credit),
    check ((key is null) = (body_hash is null)),
    -- A side has a balance exactly when it is the holder's.
    check ((debit ^@ 'house:') = (debit_after is null)),
    check ((credit ^@ 'house:') = (credit_after is null)),
    check (debit_after is not null or credit_after is not null),
    -- Demo money never touches real accounts: its house side has names of its own.
    check (debit_after is not null or (currency = 'FUN') = (debit ^@ 'house:demo-')),
    check (credit_after is not null or (currency = 'FUN') = (credit ^@ 'house:demo-')),
    check ((kind = 'reversal') = (reverses is not null))
);

insert into wallet_transfers
    (holder_id, seq, amount, debit_after, credit_after, at, ref, currency, debit, credit, kind,
     key, body_hash, hash)
select member_id, seq, amount, debit_after, credit_after, at, ref, currency, debit, credit, kind,
    key, body_hash, hash
from wallet_transfers_before;

-- One effect per key, for ever.
create unique index wallet_transfers_key on wallet_transfers (holder_id, key)
    where key is not null;

-- A transfer is undone once.
create unique index wallet_transfers_reverses on wallet_transfers (holder_id, reverses)
    where reverses is not null;

drop table wallet_transfers_before;
drop table wallet_accounts;
drop table wallet_chains;

-- Money set aside: the open ones add up to the holder's account `held`.
create table wallet_holds (
    holder_id uuid not null references wallet_holders (holder_id),
    id uuid not null,
    amount bigint not null check (amount > 0),
    -- What of it was taken when it ended; the rest went back.
    captured bigint check (captured between 0 and amount),
    primary key (holder_id, id)
);

-- Escrows: a pool has one open generation at a time, and each is paid out once.
create table wallet_escrows (
    holder_id uuid primary key references wallet_holders (holder_id),
    pool_id uuid not null,
    generation bigint not null check (generation > 0),
    purpose text not null,
    opened_at timestamptz not null,
    closed_at timestamptz,
    unique (pool_id, generation)
);

-- What the house owed at the end of each day: the root of a tree over all balances.
create table wallet_proofs (
    merchant_id uuid not null,
    day date not null,
    currency text not null,
    root bytea not null check (octet_length(root) = 32),
    total bigint not null check (total >= 0),
    leaves bigint not null check (leaves >= 0),
    made_at timestamptz not null,
    primary key (merchant_id, day, currency)
);

-- What was on the house's accounts at the same moment: they have no rows of their own, their
-- balances are sums over all transfers.
create table wallet_house (
    merchant_id uuid not null,
    day date not null,
    account text not null,
    currency text not null,
    balance bigint not null,
    primary key (merchant_id, day, account, currency)
);

-- The balance that was counted, and its place in the tree.
create table wallet_proof_leaves (
    holder_id uuid not null,
    day date not null,
    currency text not null,
    balance bigint not null check (balance >= 0),
    place bigint not null check (place >= 0),
    primary key (holder_id, day, currency)
);

-- The nodes of a tree, level by level in chunks, 40 bytes each: hash and sum.
create table wallet_proof_nodes (
    merchant_id uuid not null,
    day date not null,
    currency text not null,
    level smallint not null,
    chunk integer not null,
    nodes bytea not null,
    primary key (merchant_id, day, currency, level, chunk)
);

grant select, insert, update (has_vendors, held, bonus, points, main, seq, hash)
    on wallet_holders to capiz_server;
grant select, insert, update (balance) on wallet_vendors to capiz_server;
-- Append-only: not even the server may change or remove what was posted or published.
grant select, insert on wallet_transfers to capiz_server;
grant select, insert, update (captured) on wallet_holds to capiz_server;
grant select, insert, update (closed_at) on wallet_escrows to capiz_server;
grant select, insert on wallet_proofs, wallet_house, wallet_proof_leaves, wallet_proof_nodes to capiz_server;
