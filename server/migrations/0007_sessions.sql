-- Sessions. The token holds the member's id, so that it leads to the member's shard; only
-- the hash of its secret part is kept.
create table sessions_tokens (
    member_id uuid not null,
    token_hash bytea not null check (octet_length(token_hash) = 32),
    merchant_id uuid not null,
    -- The other half: a secret in an HttpOnly cookie of the browser that logged in.
    device_hash bytea not null check (octet_length(device_hash) = 32),
    kind smallint not null,
    currency text not null,
    started_at timestamptz not null,
    seen_at timestamptz not null,
    ends_at timestamptz not null,
    ended_at timestamptz,
    primary key (member_id, token_hash)
);

-- Serves the purge of old sessions.
create index sessions_tokens_ends_at on sessions_tokens (ends_at);

-- When a member last logged in before now: shown at each login.
create table sessions_logins (
    member_id uuid primary key,
    at timestamptz not null,
    before_at timestamptz
);

grant select, insert, update, delete on sessions_tokens to capiz_server;
grant select, insert, update on sessions_logins to capiz_server;
