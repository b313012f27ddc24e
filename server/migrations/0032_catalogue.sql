-- The catalogue of games: vendors, what is told of a game, and how each merchant offers it.

-- A provider family; games name it by its vassalage.
create table games_vendors (
    vassalage text primary key check (vassalage ~ '^[A-Z0-9_]{2,32}$'),
    display_name text not null check (length(display_name) between 1 and 60),
    account_type_name text not null check (length(account_type_name) between 1 and 60),
    position integer not null,
    -- Its games are listed and cannot be started meanwhile.
    maintenance boolean not null default false
);

insert into games_vendors (vassalage, display_name, account_type_name, position)
values ('CAPIZ', 'Capiz Studio', 'Capiz', 1);

alter table games_catalogue
    alter column position type integer,
    -- What it is called elsewhere than in English: language → name.
    add column names jsonb not null default '{}' check (jsonb_typeof(names) = 'object'),
    -- Labels: SC scratch, VP video poker, JP jackpot, TG table, AC arcade, BG bingo.
    add column classify text[] not null default '{}'
        check (classify <@ '{SC,VP,JP,TG,AC,BG}'::text[]),
    add column is_new boolean not null default false,
    add column is_hot boolean not null default false,
    -- VASSALAGE: not a game but the list of the vendor's games.
    add column is_game text not null default 'GAME' check (is_game in ('GAME', 'VASSALAGE')),
    add column platforms text[] not null default '{html5-desktop,html5-mobile}',
    -- 3 is the web.
    add column client_types smallint[] not null default '{3}',
    -- Where its picture is, if not where our own art lies.
    add column icon_url text,
    add column maintenance boolean not null default false,
    add column added_at timestamptz not null default now(),
    add constraint games_catalogue_type check (game_type in
        ('RNG', 'LIVE', 'SPORTS', 'ESPORTS', 'PVP', 'FISH', 'LOTT', 'ELOTT', 'COCKFIGHT', 'BINGO')),
    add foreign key (vassalage) references games_vendors (vassalage);

update games_catalogue set classify = '{AC}', is_hot = true where code = 'dice';

insert into games_catalogue
    (code, vendor, vassalage, game_type, name, names, classify, is_new, is_hot, position,
     min_stake, max_stake, max_payout)
select code, 'CAPIZ', 'CAPIZ', 'RNG', name, names::jsonb, classify::text[], is_new, is_hot, position,
    10000, 100000000, 10000000000
from (values
    ('windows', 'Capiz Windows', '{"TY": "Mga Bintanang Capiz"}', '{JP}', true, true, 2),
    ('mines', 'Mines', '{}', '{AC}', true, true, 3),
    ('sari', 'Sari-Sari', '{}', '{JP}', true, true, 4),
    ('plinko', 'Plinko', '{}', '{AC}', true, true, 5),
    ('reef', 'Coral Reef', '{"TY": "Bahura ng Korales"}', '{}', true, true, 6),
    ('fiesta', 'Fiesta', '{"TY": "Pista"}', '{}', true, false, 7),
    ('hilo', 'Hi-Lo', '{}', '{TG}', true, false, 8),
    ('wheel', 'Wheel', '{"TY": "Gulong"}', '{AC}', false, false, 9),
    ('limbo', 'Limbo', '{}', '{AC}', false, false, 10),
    ('keno', 'Keno', '{}', '{BG}', false, false, 11),
    ('scratch', 'Scratch card', '{"TY": "Kaskas kard"}', '{SC}', false, false, 12)
) as ours (code, name, names, classify, is_new, is_hot, position);

-- How a merchant offers a game, where that differs from the catalogue.
create table games_offers (
    merchant_id uuid not null,
    game_code text not null references games_catalogue (code),
    visible boolean not null,
    -- Its place among the merchant's games; the catalogue's where there is none.
    position integer,
    primary key (merchant_id, game_code)
);

-- What a merchant's players may stake and win, where that differs from the catalogue.
create table games_limits (
    merchant_id uuid not null,
    game_code text not null references games_catalogue (code),
    currency text not null,
    min_stake bigint not null check (min_stake > 0),
    max_stake bigint not null check (max_stake >= min_stake),
    max_payout bigint not null check (max_payout >= max_stake),
    primary key (merchant_id, game_code, currency)
);

-- Counts the changes of the catalogue: a node that has read this edition has read all of it.
create table games_editions (
    one boolean primary key default true check (one),
    edition bigint not null
);
insert into games_editions (edition) values (1);

create function games_next_edition() returns trigger language plpgsql as $$
begin
    update games_editions set edition = edition + 1;
    return null;
end $$;

create trigger games_vendors_edition
    after insert or update or delete or truncate on games_vendors
    for each statement execute function games_next_edition();
create trigger games_catalogue_edition
    after insert or update or delete or truncate on games_catalogue
    for each statement execute function games_next_edition();
create trigger games_offers_edition
    after insert or update or delete or truncate on games_offers
    for each statement execute function games_next_edition();
create trigger games_limits_edition
    after insert or update or delete or truncate on games_limits
    for each statement execute function games_next_edition();

-- What a member likes, and what it has opened last.
create table games_favorites (
    member_id uuid not null,
    game_code text not null,
    added_at timestamptz not null,
    primary key (member_id, game_code)
);

create table games_recents (
    member_id uuid not null,
    game_code text not null,
    opened_at timestamptz not null,
    primary key (member_id, game_code)
);

grant select on games_editions, games_offers, games_limits, games_vendors to capiz_server;
grant update on games_editions to capiz_server;
grant update (display_name, position, maintenance) on games_vendors to capiz_server;
grant update (position, is_new, is_hot, maintenance) on games_catalogue to capiz_server;
grant insert, update, delete on games_offers, games_limits to capiz_server;
grant select, insert, delete on games_favorites to capiz_server;
grant select, insert, update, delete on games_recents to capiz_server;

-- What the roles of the beginning may do with games.
update staff_roles set rights = rights || '{games.read,games.write}' where name = 'content';
update staff_roles set rights = rights || '{games.read}' where name in ('auditor', 'support');
