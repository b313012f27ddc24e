-- Merchants: one installation serves several brands, told apart by their hosts.
create table site_merchants (
    id uuid primary key,
    code text not null unique check (code ~ '^[a-z0-9]{2,16}$'),
    name text not null,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    time_zone text not null,
    -- Links in mails use this, never the Host header.
    main_domain text not null,
    -- What a new member finds in the wallet, in ten-thousandths of the currency's unit.
    welcome_credit bigint not null check (welcome_credit >= 0),
    maintenance boolean not null default false,
    created_at timestamptz not null
);

create table site_hosts (
    -- Lower case, without a port.
    host text primary key check (host = lower(host)),
    merchant_id uuid not null references site_merchants (id),
    -- Loopback and the demo belong to no single merchant: there the header Merchant chooses.
    shared boolean not null default false
);

-- The whitelabel tree: the server enforces each switch, not only the page.
create table site_switches (
    merchant_id uuid not null references site_merchants (id),
    mod_id text not null check (mod_id ~ '^[A-Z0-9_]{2,32}$'),
    parent_mod_id text,
    position smallint not null,
    enabled boolean not null,
    primary key (merchant_id, mod_id),
    foreign key (merchant_id, parent_mod_id) references site_switches (merchant_id, mod_id)
);

grant select, insert, update on site_merchants, site_hosts, site_switches to capiz_server;
