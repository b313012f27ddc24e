-- The office: who works there, what they may do, where they are logged in, and what they did.
create table staff_people (
    id uuid primary key,
    -- As it was written; unique however it is cased.
    username text not null check (length(username) between 3 and 32),
    name text not null check (length(name) between 1 and 64),
    password_hash text not null,
    -- The secret shared with the authenticator app, encrypted.
    factor bytea not null,
    -- The time step of the last code: each code is good once.
    factor_step bigint not null default 0,
    is_active boolean not null default true,
    created_at timestamptz not null,
    last_login_at timestamptz
);
create unique index staff_people_username on staff_people (lower(username));

-- Rights as `domain.action`. A role with all rights has those that come later, too.
create table staff_roles (
    name text primary key check (name ~ '^[a-z][a-z-]{1,31}$'),
    has_all boolean not null default false,
    rights text[] not null default '{}'
);
insert into staff_roles (name, has_all, rights) values
    ('administrator', true, '{}'),
    ('cashier', false, '{}'),
    ('support', false, '{}'),
    ('content', false, '{}'),
    ('auditor', false, '{staff.read,trail.read,trail.export}');

create table staff_duties (
    person_id uuid not null references staff_people (id),
    role text not null references staff_roles (name),
    primary key (person_id, role)
);

create table staff_sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    person_id uuid not null references staff_people (id),
    address text,
    agent text,
    -- When the person had logged in before: a login that was somebody else's is noticed.
    previous_login_at timestamptz,
    started_at timestamptz not null,
    seen_at timestamptz not null,
    ends_at timestamptz not null
);
create index staff_sessions_person on staff_sessions (person_id);

-- The trail. Each row's hash is made with a key that is not in the database, from the row and the
-- hash before it; the head says where the trail ends, so that a missing end is found, too.
create table staff_trail (
    seq bigint primary key check (seq > 0),
    at timestamptz not null,
    actor_id uuid,
    actor text not null,
    action text not null,
    subject text not null,
    -- Texts and not jsonb: they are hashed as they stand.
    before text,
    after text,
    reason text,
    address text,
    hash bytea not null check (length(hash) = 32)
);
create index staff_trail_actor on staff_trail (actor, seq);
create index staff_trail_subject on staff_trail (subject, seq);

create table staff_trail_head (
    is_only boolean primary key default true check (is_only),
    seq bigint not null,
    hash bytea not null
);
insert into staff_trail_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

grant select, insert, update (name, password_hash, factor, factor_step, is_active, last_login_at)
    on staff_people to capiz_server;
grant select, update (rights) on staff_roles to capiz_server;
grant select, insert, delete on staff_duties to capiz_server;
grant select, insert, delete, update (seen_at) on staff_sessions to capiz_server;
-- Append-only.
grant select, insert on staff_trail to capiz_server;
grant select, update (seq, hash) on staff_trail_head to capiz_server;
