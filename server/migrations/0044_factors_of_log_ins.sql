-- How a log-in showed the second factor; nothing where none was asked for. Nothing is filled in, and so nothing of what
-- is there has to be looked at: the constraint is for rows to come.
alter table sessions_entries add column factor text;
alter table sessions_entries
    add constraint sessions_entries_factor check (factor in ('app', 'recovery')) not valid;
