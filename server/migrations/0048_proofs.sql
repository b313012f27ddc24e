-- When whoever is in last showed password and code, by logging in or once more since: what is grave asks for a proof
-- that is minutes old. Null is never, as in rows of a node from before. Some rows an installation.
alter table staff_sessions add column proved_at timestamptz;

update staff_sessions set proved_at = started_at;

grant update (proved_at) on staff_sessions to capiz_server;
