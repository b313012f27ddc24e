-- Files that staff upload: pictures, and apps for Android. They are named by their hash and never
-- change.
create table site_files (
    hash text primary key check (hash ~ '^[0-9a-f]{40}$'),
    kind text not null constraint site_files_kind check (kind in ('png', 'jpg', 'webp', 'apk')),
    name text not null check (length(name) between 1 and 120),
    bytes bigint not null check (bytes > 0),
    uploaded_by text not null,
    uploaded_at timestamptz not null
);

-- What they hold, in pieces, so that no node has to hold a whole app to send it.
create table site_file_parts (
    hash text not null references site_files (hash),
    part integer not null check (part >= 0),
    content bytea not null check (length(content) between 1 and 1048576),
    primary key (hash, part)
);
-- Pictures and apps are packed already.
alter table site_file_parts alter column content set storage external;

grant select, insert on site_files, site_file_parts to capiz_server;
