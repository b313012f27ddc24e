-- What the office's service pages show: requests that are taken back, what messages were for and
-- what became of them, how jobs ran, and what the checks of the ledger and of the trail found.

-- Whoever asked may take it back, as long as nobody has decided.
alter table staff_approvals drop constraint staff_approvals_state_check;
alter table staff_approvals add constraint staff_approvals_state_check
    check (state in ('open', 'done', 'refused', 'expired', 'withdrawn'));

-- Serves the list of what one asked for.
create index staff_approvals_asked_by on staff_approvals (asked_by, id desc);

alter table platform_messages
    -- What it was sent for, `sessions.register` for example.
    add column purpose text not null default '',
    -- The recipient, hashed with a key: it can be looked for and not read.
    add column to_hash bytea
        constraint platform_messages_to_hash check (octet_length(to_hash) = 32),
    add column tries integer not null default 0
        constraint platform_messages_tries check (tries >= 0),
    -- Why the last try failed. It names no recipient.
    add column last_error text;

-- Serve the office's list: ids rise with the time, so that they are the order.
create index platform_messages_to on platform_messages (to_hash, id desc)
    where to_hash is not null;
create index platform_messages_state on platform_messages (state, id desc);

-- When the last run began.
alter table platform_jobs add column started_at timestamptz;

-- Serves the office's list of kinds: the last runs of each, what waits, what is dead.
create index platform_jobs_kind on platform_jobs (kind, state, finished_at);

-- What the checks found: one row per run.
create table service_checks (
    id uuid primary key,
    what text not null check (what in ('ledger', 'trail')),
    began_at timestamptz not null,
    took_ms bigint not null check (took_ms >= 0),
    -- How many rows were followed.
    rows bigint not null check (rows >= 0),
    -- What is wrong; null where nothing is.
    fault text
);

-- Serves the latest of each, and the purge.
create index service_checks_what on service_checks (what, began_at desc);

grant select, insert, delete on service_checks to capiz_server;

-- What only the owner of the database's connections may see of them. It tells numbers and nothing
-- of what anybody does.
create function platform_vitals(
    out connections bigint,
    out connections_max bigint,
    out oldest_transaction_ms bigint,
    out waiting_for_locks bigint
) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select count(*),
        current_setting('max_connections')::bigint,
        coalesce(max((extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint)
            filter (where pid <> pg_backend_pid()), 0),
        count(*) filter (where wait_event_type = 'Lock')
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
$$;
revoke all on function platform_vitals() from public;
grant execute on function platform_vitals() to capiz_server;
