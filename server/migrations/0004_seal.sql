-- Nonces of sealed payloads that were opened: a payload is accepted once.
-- Rows older than the window of acceptance are purged by a job.
create table platform_seal_nonces (
    nonce text primary key,
    at timestamptz not null
);

-- Serves the purge.
create index platform_seal_nonces_at on platform_seal_nonces (at);

grant select, insert, delete on platform_seal_nonces to capiz_server;
