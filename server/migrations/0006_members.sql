-- Usernames are unique per merchant. The reservation has a table of its own, because member
-- tables carry the member in every unique key and could not say it.
create table members_names (
    merchant_id uuid not null,
    name text not null check (name = lower(name)),
    member_id uuid not null,
    primary key (merchant_id, name)
);

create table members_profiles (
    member_id uuid primary key,
    merchant_id uuid not null,
    account text not null,
    nickname text not null,
    -- 0 member; 1, 2, 41, 42 agents; 4 trial.
    kind smallint not null check (kind in (0, 1, 2, 4, 41, 42)),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    registered_at timestamptz not null
);

-- Apart from the profile, so that reading a member never reads a secret.
create table members_passwords (
    member_id uuid primary key references members_profiles (member_id),
    hash text not null,
    changed_at timestamptz not null
);

grant select, insert, update on members_profiles, members_passwords to capiz_server;
grant select, insert on members_names to capiz_server;
