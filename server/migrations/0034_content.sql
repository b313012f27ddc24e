-- Content: what a site tells its visitors, as staff write it.

-- One banner, announcement, notice, article and so on, as it is now.
create table site_content (
    id uuid primary key,
    merchant_id uuid not null references site_merchants (id),
    kind text not null constraint site_content_kind check (kind in
        ('banner', 'announcement', 'notice', 'help_section', 'help_article', 'page', 'promotion',
         'download')),
    -- Where it stands: the group of a banner, the name of a page, the device of a download.
    slot text not null check (slot ~ '^[A-Za-z0-9_-]{0,40}$'),
    -- Its place among those of its kind and slot.
    position integer not null,
    is_shown boolean not null,
    -- When it is seen; always where there is nothing.
    starts_at timestamptz,
    ends_at timestamptz,
    -- What its kind needs beside words: pictures, links, types.
    data jsonb not null check (jsonb_typeof(data) = 'object'),
    -- Language → field → words; HTML is clean.
    texts jsonb not null check (jsonb_typeof(texts) = 'object'),
    version integer not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    updated_by text not null,
    constraint site_content_window check (starts_at < ends_at)
);

-- Serves the office's lists.
create index site_content_place on site_content (merchant_id, kind, slot, position);

-- A merchant has one page of a name, one download for a device, one section of a name.
create unique index site_content_slot on site_content (merchant_id, kind, slot)
    where kind in ('page', 'download') or (kind = 'help_section' and slot <> '');
-- What has an address has one of its own.
create unique index site_content_slug on site_content (merchant_id, kind, (data ->> 'slug'))
    where kind in ('promotion', 'help_article');

-- Every version that there was, for ever; nothing where it was deleted.
create table site_content_versions (
    content_id uuid not null,
    version integer not null,
    merchant_id uuid not null references site_merchants (id),
    kind text not null,
    value jsonb,
    changed_by uuid,
    actor text not null,
    reason text not null check (length(reason) between 3 and 500),
    at timestamptz not null,
    primary key (content_id, version)
);

-- Which merchants were given the content that all begin with: they may delete it.
create table site_content_founded (
    merchant_id uuid primary key references site_merchants (id),
    at timestamptz not null
);

-- Counts the changes of content: a node that has read this edition has read all of it.
create table site_editions (
    one boolean primary key default true check (one),
    edition bigint not null
);
insert into site_editions (edition) values (1);

create function site_next_edition() returns trigger language plpgsql as $$
begin
    update site_editions set edition = edition + 1;
    return null;
end $$;

create trigger site_content_edition
    after insert or update or delete or truncate on site_content
    for each statement execute function site_next_edition();

grant select, insert, update, delete on site_content to capiz_server;
-- Append-only.
grant select, insert on site_content_versions, site_content_founded to capiz_server;
grant select, update on site_editions to capiz_server;

-- What the roles of the beginning may do with content.
update staff_roles set rights = rights || '{content.read,content.write}' where name = 'content';
update staff_roles set rights = rights || '{content.read}' where name = 'auditor';
