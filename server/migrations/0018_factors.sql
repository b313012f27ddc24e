-- The second factor of a login: a secret that an authenticator app shares with us.
create table sessions_factors (
    member_id uuid primary key,
    -- Encrypted with a key of the installation and bound to the member.
    secret bytea not null,
    -- When a code of the app confirmed it; before that it is only offered.
    confirmed_at timestamptz,
    -- The time step of the last code that was accepted: no code is accepted twice.
    last_step bigint not null default 0 check (last_step >= 0),
    offered_at timestamptz not null
);

-- Codes for the day when the app is lost. Each is used once and then gone.
create table sessions_recovery_codes (
    member_id uuid not null references sessions_factors (member_id) on delete cascade,
    code_hash bytea not null check (octet_length(code_hash) = 32),
    primary key (member_id, code_hash)
);

-- A login that waits for its second factor, on the device where it began.
create table sessions_tickets (
    member_id uuid not null,
    ticket_hash bytea not null check (octet_length(ticket_hash) = 32),
    merchant_id uuid not null,
    device_hash bytea not null check (octet_length(device_hash) = 32),
    -- How the first factor was shown.
    method text not null check (method ~ '^[a-z_]{2,16}$'),
    -- Whether the password has to be changed once the member is in.
    must_change boolean not null,
    tries smallint not null default 0 check (tries >= 0),
    expires_at timestamptz not null,
    primary key (member_id, ticket_hash)
);

-- Serves the purge.
create index sessions_tickets_expires_at on sessions_tickets (expires_at);

grant select, insert, update, delete
    on sessions_factors, sessions_recovery_codes, sessions_tickets to capiz_server;
