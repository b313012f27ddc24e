-- What the player did in a round of several steps, and the most that the house paid in a round at
-- that time: both decide how it is replayed. Before, every round was of dice and had one limit.
alter table games_rounds
    add column actions json not null default '[]',
    add column most bigint not null default 10000000000 check (most > 0);
alter table games_rounds alter column most drop default;

-- Rounds in which it is the player's turn: their stake is paid, and they become a row of
-- games_rounds when they end.
create table studio_open_rounds (
    member_id uuid not null,
    game_code text not null references games_catalogue (code),
    id uuid not null,
    merchant_id uuid not null,
    currency text not null,
    stake bigint not null check (stake > 0),
    most bigint not null check (most > 0),
    choice jsonb not null,
    actions jsonb not null default '[]',
    seed_id uuid not null,
    nonce bigint not null check (nonce >= 0),
    begun_at timestamptz not null,
    moved_at timestamptz not null,
    -- One at a time for each game.
    primary key (member_id, game_code),
    unique (member_id, id)
);

-- Serves the job that ends those that were left.
create index studio_open_rounds_left on studio_open_rounds (moved_at);

grant select, insert, delete, update (actions, moved_at) on studio_open_rounds to capiz_server;

-- The jackpot of each merchant and currency: which generation is open, and the escrow that holds it.
create table studio_jackpots (
    merchant_id uuid not null,
    currency text not null,
    pool_id uuid not null,
    generation bigint not null check (generation > 0),
    escrow_id uuid not null,
    primary key (merchant_id, currency)
);

-- What rounds have fed and the escrow has not got yet: one row for each batch of rounds, so that
-- rounds do not wait for each other at the pool.
create table studio_jackpot_feeds (
    id uuid primary key,
    merchant_id uuid not null,
    currency text not null,
    amount bigint not null check (amount > 0)
);

create index studio_jackpot_feeds_of on studio_jackpot_feeds (merchant_id, currency);

-- Rounds that hit the jackpot, until they are paid and after.
create table studio_jackpot_hits (
    member_id uuid not null,
    round_id uuid not null,
    merchant_id uuid not null,
    currency text not null,
    hit_at timestamptz not null,
    paid_at timestamptz,
    primary key (member_id, round_id)
);

create index studio_jackpot_hits_open on studio_jackpot_hits (hit_at) where paid_at is null;

-- Who took a generation: one hit, and no other.
create table studio_jackpot_wins (
    merchant_id uuid not null,
    currency text not null,
    generation bigint not null,
    round_id uuid not null,
    winner_id uuid not null,
    amount bigint not null check (amount > 0),
    won_at timestamptz not null,
    primary key (merchant_id, currency, generation)
);

grant select, insert, update (generation, escrow_id) on studio_jackpots to capiz_server;
grant select, insert, delete on studio_jackpot_feeds to capiz_server;
grant select, insert, update (paid_at) on studio_jackpot_hits to capiz_server;
grant select, insert on studio_jackpot_wins to capiz_server;
