-- Until when a password that was given to somebody of the office is good, and that it is not yet the person's
-- own; null for one that its owner has chosen. Some rows an installation; those from before count as chosen where
-- somebody has come in with them, and those of the demo, which everybody knows.
alter table staff_people add column password_until timestamptz;

update staff_people set password_until = now() + interval '3 days'
where last_login_at is null and not exists (
    select from staff_trail
    where subject = 'person:' || staff_people.id and action = 'staff.add' and actor_id is null
        and reason = 'part of the demo'
);

grant update (password_until) on staff_people to capiz_server;
