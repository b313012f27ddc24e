-- Devices that a member has logged in on. Whoever guesses passwords elsewhere locks himself out,
-- and not the owner.
create table sessions_known_devices (
    member_id uuid not null,
    device_hash bytea not null check (octet_length(device_hash) = 32),
    seen_at timestamptz not null,
    primary key (member_id, device_hash)
);

-- Serves the purge.
create index sessions_known_devices_seen_at on sessions_known_devices (seen_at);

grant select, insert, update, delete on sessions_known_devices to capiz_server;

-- Who is logged in at the moment has a known device.
insert into sessions_known_devices (member_id, device_hash, seen_at)
select member_id, device_hash, max(seen_at) from sessions_tokens
where kind <> 4 group by member_id, device_hash;
