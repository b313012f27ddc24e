-- Rounds are written many at a time. The foreign key to the catalogue locked one row of it for
-- every round, and the nonce had an index of its own although the player's row hands each out
-- once; the audit checks both now. The book is kept as the text that it was made as.
alter table games_rounds rename to games_rounds_before;
alter index games_rounds_pkey rename to games_rounds_before_pkey;
drop index games_rounds_winners;

create table games_rounds (
    member_id uuid not null,
    id uuid not null,
    merchant_id uuid not null,
    seed_id uuid not null,
    nonce bigint not null check (nonce >= 0),
    stake bigint not null check (stake > 0),
    payout bigint not null check (payout >= 0),
    played_at timestamptz not null,
    game_code text not null,
    currency text not null,
    choice json not null,
    book json not null,
    primary key (member_id, id)
);

insert into games_rounds
    (member_id, id, merchant_id, seed_id, nonce, stake, payout, played_at, game_code, currency,
     choice, book)
select member_id, id, merchant_id, seed_id, nonce, stake, payout, played_at, game_code, currency,
    choice::json, book::json
from games_rounds_before;

drop table games_rounds_before;

-- Serves the winners board: the latest wins of real money.
create index games_rounds_winners on games_rounds (merchant_id, id desc)
    where payout > stake and currency <> 'FUN';

-- Append-only.
grant select, insert on games_rounds to capiz_server;

-- The next nonce moves from the pair, which is then read once and kept, to the player's row.
create table studio_turns (
    member_id uuid primary key,
    active_id uuid not null,
    next_id uuid not null,
    next_nonce bigint not null check (next_nonce >= 0),
    check (active_id <> next_id)
) with (fillfactor = 50);

insert into studio_turns (member_id, active_id, next_id, next_nonce)
select p.member_id, p.active_id, p.next_id, s.next_nonce
from studio_players p
join studio_seeds s on s.member_id = p.member_id and s.id = p.active_id;

drop table studio_players;
alter table studio_turns rename to studio_players;
alter index studio_turns_pkey rename to studio_players_pkey;

-- How many rounds a retired pair decided.
alter table studio_seeds rename column next_nonce to rounds;

grant select, insert, update (active_id, next_id, next_nonce) on studio_players to capiz_server;
