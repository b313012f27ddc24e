create table games_catalogue (
    code text primary key check (code ~ '^[a-z0-9-]{2,32}$'),
    vendor text not null,
    vassalage text not null,
    game_type text not null,
    name text not null,
    -- 0: a free trial is offered.
    support_play smallint not null default 0,
    position smallint not null,
    min_stake bigint not null check (min_stake > 0),
    max_stake bigint not null check (max_stake >= min_stake),
    max_payout bigint not null check (max_payout >= max_stake)
);

insert into games_catalogue
    (code, vendor, vassalage, game_type, name, support_play, position, min_stake, max_stake, max_payout)
values
    ('dice', 'CAPIZ', 'CAPIZ', 'RNG', 'Dice', 0, 1, 10000, 100000000, 10000000000);

-- What was played: the book is the whole round, ready to be shown again and checked.
create table games_rounds (
    member_id uuid not null,
    id uuid not null,
    merchant_id uuid not null,
    game_code text not null references games_catalogue (code),
    currency text not null,
    stake bigint not null check (stake > 0),
    payout bigint not null check (payout >= 0),
    choice jsonb not null,
    book jsonb not null,
    seed_id uuid not null,
    nonce bigint not null check (nonce >= 0),
    played_at timestamptz not null,
    primary key (member_id, id),
    -- A nonce of a seed decides one round and no other.
    constraint games_rounds_nonce unique (member_id, seed_id, nonce)
);

-- Serves the winners board: the latest wins of real money.
create index games_rounds_winners on games_rounds (merchant_id, id desc)
    where payout > stake and currency <> 'FUN';

grant select on games_catalogue to capiz_server;
grant select, insert on games_rounds to capiz_server;
