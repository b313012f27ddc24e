-- Until when a password that was given to somebody of the office is good, and that it is not yet the person's
-- own; null for one that its owner has chosen. Some rows an installation; those from before count as chosen.
alter table staff_people add column password_until timestamptz;

grant update (password_until) on staff_people to capiz_server;
