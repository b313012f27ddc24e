-- Numbers and addresses belong to whoever has proved to hold them.

-- Whether a code that was sent there came back, or somebody we believe has said so. What is not
-- verified yields to whoever proves to hold it.
alter table members_mobiles add column verified boolean not null default false;
alter table members_emails add column verified boolean not null default false;

-- Who has come in by a code to the number has proved to hold it.
update members_details d set mobile_verified_at = e.at
from (
    select member_id, min(at) as at from sessions_entries
    where method in ('sms', 'phone') group by member_id
) e
where e.member_id = d.member_id and d.mobile is not null and d.mobile_verified_at is null;

update members_mobiles m set verified = true
from members_details d
where d.member_id = m.member_id and d.mobile = m.mobile and d.mobile_verified_at is not null;

update members_emails m set verified = true
from members_details d
where d.member_id = m.member_id and lower(d.email) = m.email and d.email_verified_at is not null;

grant update (member_id, verified) on members_mobiles, members_emails to capiz_server;

-- The trace of a number or an address that a member had typed and somebody else proved to hold. What
-- it was stands in the details of whoever has it now.
create table members_lost_contacts (
    member_id uuid not null references members_profiles (member_id),
    id uuid not null,
    kind text not null check (kind in ('mobile', 'email')),
    taken_by uuid not null,
    lost_at timestamptz not null,
    primary key (member_id, id)
);

grant select, insert on members_lost_contacts to capiz_server;

-- Demo accounts come to an end: so many hours after the last moment in which their session can have
-- been alive.
alter table site_merchants
    add column trial_hours smallint not null default 24
        constraint site_merchants_trial_hours check (trial_hours between 1 and 8760);

-- Serves the job that removes them.
create index members_profiles_trials on members_profiles (merchant_id, registered_at)
    where kind = 4;

grant delete on members_profiles, sessions_logins to capiz_server;

-- Whether browsers may remember passwords; on until the operator turns it off.
insert into site_switches (merchant_id, mod_id, parent_mod_id, position, enabled)
select merchant_id, 'REMEMBERPASS3', mod_id, 103, true from site_switches where mod_id = 'LOGIN'
on conflict do nothing;
