-- Events for the push socket: written in the transaction that causes them, numbered and
-- sent after its commit.
create table platform_events (
    id uuid primary key,
    -- `site:<merchant>`, `winners:<merchant>` or `member:<member>`.
    topic text not null,
    event jsonb not null,
    created_at timestamptz not null,
    -- Given after commit, one holder of the head row at a time, so that numbers become
    -- visible in order and a reader of "above my last" loses none.
    seq bigint constraint platform_events_seq_key unique
);

-- Serves the relay's search for rows that still need a number.
create index platform_events_unnumbered on platform_events (created_at, id) where seq is null;

-- Serves the replay of one topic for a socket that comes back.
create index platform_events_topic on platform_events (topic, seq);

-- Serves the purge.
create index platform_events_age on platform_events (created_at);

-- One row: the last number given, and the highest number that was purged.
create table platform_event_head (
    only_row boolean primary key default true
        constraint platform_event_head_single check (only_row),
    seq bigint not null default 0,
    purged_seq bigint not null default 0,
    constraint platform_event_head_order check (0 <= purged_seq and purged_seq <= seq)
);

insert into platform_event_head default values;

grant select, insert, update, delete on platform_events to capiz_server;
grant select, update on platform_event_head to capiz_server;
