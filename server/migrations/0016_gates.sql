-- The gates of identity: messages to people, budgets, and what proves that somebody is there.

-- SMS and e-mail, written in the transaction that causes them and delivered by a job.
create table platform_messages (
    id uuid primary key,
    merchant_id uuid not null,
    channel text not null constraint platform_messages_channel check (channel in ('sms', 'mail')),
    -- `kept` where the channel is not configured; `expired` where the time of its use was over.
    state text not null
        constraint platform_messages_state
        check (state in ('queued', 'sent', 'kept', 'failed', 'expired')),
    -- Recipient, subject and text, encrypted: they hold codes and personal data. A purge takes
    -- them away once nobody needs them.
    sealed bytea,
    -- After this nobody has a use for it.
    deadline timestamptz,
    created_at timestamptz not null,
    finished_at timestamptz,
    constraint platform_messages_finished check ((state = 'queued') = (finished_at is null))
);

-- Serves `capiz outbox` and the purge of old rows.
create index platform_messages_age on platform_messages (created_at);

-- Serves the purge of delivered bodies.
create index platform_messages_bodies on platform_messages (finished_at)
    where sealed is not null and state <> 'kept';

grant select, insert, update, delete on platform_messages to capiz_server;

-- What may be done how often, counted for all nodes together. A window begins with the first
-- use of its key.
create table platform_budgets (
    name text not null,
    -- Keyed, because phone numbers and addresses could be found by trying all.
    key_hash bytea not null constraint platform_budgets_key check (octet_length(key_hash) = 32),
    used integer not null constraint platform_budgets_used check (used > 0),
    ends_at timestamptz not null,
    primary key (name, key_hash)
);

-- Serves the purge.
create index platform_budgets_ends_at on platform_budgets (ends_at);

grant select, insert, update, delete on platform_budgets to capiz_server;

-- Proofs of work that were shown once. The key is what the server itself put into the challenge.
create table sessions_spent (
    challenge uuid primary key,
    expires_at timestamptz not null
);

-- Serves the purge.
create index sessions_spent_expires_at on sessions_spent (expires_at);

grant select, insert, delete on sessions_spent to capiz_server;

-- The one live captcha of a visitor who has no session yet.
create table sessions_captchas (
    visit_hash bytea primary key
        constraint sessions_captchas_visit check (octet_length(visit_hash) = 32),
    merchant_id uuid not null,
    answer_hash bytea not null
        constraint sessions_captchas_answer check (octet_length(answer_hash) = 32),
    drawn_at timestamptz not null,
    expires_at timestamptz not null,
    -- A captcha that was answered stays as the memory of when it was drawn.
    answered boolean not null default false
);

-- Serves the purge.
create index sessions_captchas_expires_at on sessions_captchas (expires_at);

grant select, insert, update, delete on sessions_captchas to capiz_server;

-- The one live code of a destination and purpose. Destinations are hashed with a key, so that
-- the table tells nobody's number.
create table sessions_codes (
    merchant_id uuid not null,
    purpose text not null constraint sessions_codes_purpose
        check (purpose in ('register', 'login', 'recovery', 'bind')),
    destination_hash bytea not null
        constraint sessions_codes_destination check (octet_length(destination_hash) = 32),
    code_hash bytea not null constraint sessions_codes_code check (octet_length(code_hash) = 32),
    tries smallint not null default 0 constraint sessions_codes_tries check (tries >= 0),
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (merchant_id, purpose, destination_hash)
);

-- Serves the purge.
create index sessions_codes_expires_at on sessions_codes (expires_at);

grant select, insert, update, delete on sessions_codes to capiz_server;

-- When a destination was last sent codes, whatever for: the wait doubles from one to the next.
create table sessions_sends (
    merchant_id uuid not null,
    destination_hash bytea not null
        constraint sessions_sends_destination check (octet_length(destination_hash) = 32),
    -- Codes since one was last entered, or since a day without any.
    unanswered smallint not null constraint sessions_sends_unanswered check (unanswered >= 0),
    -- The newest three.
    sent_at timestamptz[] not null
        constraint sessions_sends_sent_at check (cardinality(sent_at) between 1 and 3),
    ends_at timestamptz not null,
    primary key (merchant_id, destination_hash)
);

-- Serves the purge.
create index sessions_sends_ends_at on sessions_sends (ends_at);

grant select, insert, update, delete on sessions_sends to capiz_server;

-- How long a code lives, and how many text messages a merchant pays for in a day.
alter table site_merchants
    add column code_minutes smallint not null default 5
        constraint site_merchants_code_minutes check (code_minutes between 1 and 60),
    add column sms_per_day integer not null default 5000
        constraint site_merchants_sms_per_day check (sms_per_day >= 0);
