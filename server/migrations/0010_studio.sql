-- Seed pairs of provably fair games. The server's seed is stored encrypted and shown only
-- after it has been retired; its commitment is public from the start.
create table studio_seeds (
    member_id uuid not null,
    id uuid not null,
    server_seed bytea not null,
    commitment bytea not null check (octet_length(commitment) = 32),
    client_seed text not null,
    next_nonce bigint not null check (next_nonce >= 0),
    created_at timestamptz not null,
    revealed_at timestamptz,
    primary key (member_id, id)
);

-- Which pair a member plays with, and the next one, whose server seed is committed to already:
-- the client seed is chosen after the commitment and before any outcome. Locking this row is
-- what orders a member's draws and rotations.
create table studio_players (
    member_id uuid primary key,
    active_id uuid not null,
    next_id uuid not null,
    foreign key (member_id, active_id) references studio_seeds (member_id, id),
    foreign key (member_id, next_id) references studio_seeds (member_id, id),
    check (active_id <> next_id)
);

-- A seed and its commitment never change.
grant select, insert, update (client_seed, next_nonce, revealed_at) on studio_seeds to capiz_server;
grant select, insert, update (active_id, next_id) on studio_players to capiz_server;
