-- The language that a member has chosen: messages to the member are written in it.
alter table members_profiles
    add column language text
        constraint members_profiles_language check (language ~ '^[A-Z]{2}$');

alter table members_lost_contacts
    -- What was lost, with most of its characters hidden, so that the member knows which it was.
    add column masked text not null default ''
        constraint members_lost_contacts_masked check (length(masked) <= 260),
    -- When the member was told, or there was nowhere to tell it.
    add column told_at timestamptz;

grant update (told_at) on members_lost_contacts to capiz_server;
