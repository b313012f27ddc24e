-- Who came through a social provider has told no birth date and has agreed to nothing. Until that is
-- done such a member may look round and not play. Null for everybody who filled in a form.
alter table members_profiles add column to_complete_since timestamptz;

update members_profiles p set to_complete_since = p.registered_at
from members_details d
where d.member_id = p.member_id and d.register_method = 'SOCIAL' and d.birthday is null;

-- As it was when the session began, so that the requests of all others need not ask. Where it is
-- true the member's own row decides.
alter table sessions_tokens add column to_complete boolean not null default false;

update sessions_tokens t set to_complete = true
from members_profiles p
where p.member_id = t.member_id and p.to_complete_since is not null;
