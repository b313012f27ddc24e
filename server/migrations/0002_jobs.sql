-- Work that must happen: queued in the transaction that causes it, run by any node.
create table platform_jobs (
    id uuid primary key,
    kind text not null,
    payload jsonb not null,
    -- The earliest moment of the next run; a failed run moves it ahead.
    due_at timestamptz not null,
    state text not null default 'queued'
        constraint platform_jobs_state check (state in ('queued', 'running', 'done', 'dead')),
    -- Runs begun so far. It also fences: a worker whose lease was lost finds another number.
    attempts integer not null default 0
        constraint platform_jobs_attempts check (attempts >= 0),
    lease_until timestamptz,
    last_error text,
    -- Serves the schedules: two nodes that tick at once make one job of a slot.
    unique_key text constraint platform_jobs_unique_key unique,
    created_at timestamptz not null,
    finished_at timestamptz,
    -- Serves the claim, which orders by the lease while there is one and by due_at otherwise.
    constraint platform_jobs_lease check ((state = 'running') = (lease_until is not null)),
    constraint platform_jobs_finished check ((state in ('done', 'dead')) = (finished_at is not null))
);

-- Serves the worker's claim: what is due, and what a lost worker left behind.
create index platform_jobs_claimable on platform_jobs (coalesce(lease_until, due_at), id)
    where state in ('queued', 'running');

-- Serves the purge of done jobs and the list of dead ones.
create index platform_jobs_finished_at on platform_jobs (state, finished_at)
    where state in ('done', 'dead');

grant select, insert, update, delete on platform_jobs to capiz_server;
