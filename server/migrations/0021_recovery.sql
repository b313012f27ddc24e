-- Getting back in, changing where codes go, and passwords that a browser remembers.

-- Links by which a member who forgot its password chooses another. Setting a password takes all
-- of the member's links away.
create table sessions_links (
    member_id uuid not null,
    link_hash bytea not null
        constraint sessions_links_hash check (octet_length(link_hash) = 32),
    merchant_id uuid not null,
    expires_at timestamptz not null,
    primary key (member_id, link_hash)
);

-- Serves the purge.
create index sessions_links_expires_at on sessions_links (expires_at);

-- The server's half of what opens a password that a browser remembers.
create table sessions_shares (
    member_id uuid not null,
    device_hash bytea not null
        constraint sessions_shares_device check (octet_length(device_hash) = 32),
    merchant_id uuid not null,
    -- Encrypted with a key of the installation and bound to the merchant and the device.
    share bytea not null,
    expires_at timestamptz not null,
    primary key (member_id, device_hash)
);

-- Serves the page of somebody who is not logged in: there is a device and no member.
create index sessions_shares_device on sessions_shares (device_hash);

-- Serves the purge.
create index sessions_shares_expires_at on sessions_shares (expires_at);

grant select, insert, update, delete on sessions_links, sessions_shares to capiz_server;

-- A number or address that a member gives up is free for others.
grant delete on members_mobiles, members_emails to capiz_server;
