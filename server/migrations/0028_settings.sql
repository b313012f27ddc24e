-- Settings: what the operator changes in the office, and how it was before.

-- Which switches there are, and which stands under which, is the server's knowledge
-- (site/switches.rs): merchants that were founded earlier have new ones, too. A row says that
-- somebody has decided.
alter table site_switches
    drop column parent_mod_id,
    drop column position,
    drop constraint site_switches_mod_id_check,
    add constraint site_switches_mod_id_check check (mod_id ~ '^[A-Za-z0-9_]{2,32}$');

-- What a brand shows and where it sends people; merchants without a row have the defaults of
-- site/brand.rs, and so has everything that a row does not name.
create table site_brands (
    merchant_id uuid primary key references site_merchants (id),
    brand jsonb not null check (jsonb_typeof(brand) = 'object')
);

-- Every change of a setting, for ever.
create table site_changes (
    id uuid primary key,
    merchant_id uuid not null references site_merchants (id),
    -- The order of the merchant's changes.
    seq bigint not null check (seq > 0),
    kind text not null constraint site_changes_kind check (kind in
        ('switch', 'register_rule', 'policy', 'host', 'brand', 'maintenance', 'merchant')),
    -- Which of its kind: a switch, a field, a country, a host.
    name text not null,
    -- Nothing where it did not exist.
    before jsonb,
    after jsonb,
    changed_by uuid,
    actor text not null,
    reason text not null check (length(reason) between 3 and 500),
    at timestamptz not null,
    -- The change that this one takes back.
    undoes uuid references site_changes (id),
    -- The change whose value the setting has since: this one, or, where it takes one back, the
    -- one that was in force before that; nothing where the setting is as it was at first.
    in_force uuid references site_changes (id),
    constraint site_changes_seq unique (merchant_id, seq)
);

-- Serves the history of one setting, and finds the newest change of it.
create index site_changes_setting on site_changes (merchant_id, kind, name, seq);

grant select, insert, update on site_brands to capiz_server;
-- Append-only.
grant select, insert on site_changes to capiz_server;
grant delete on site_hosts, site_policies to capiz_server;
