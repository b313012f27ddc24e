-- Affiliates: who wants to bring members, and what the house decided.

create table agents_applications (
    id uuid primary key,
    merchant_id uuid not null,
    -- The member who asks; nobody's where it was a visitor.
    asked_by uuid,
    name text not null check (length(name) between 2 and 80),
    contact_kind text not null constraint agents_applications_contact_kind
        check (contact_kind in ('EMAIL', 'MOBILE', 'TELEGRAM', 'WHATSAPP')),
    contact text not null check (length(contact) between 3 and 120),
    -- Whom the applicant reaches.
    audience text not null check (length(audience) between 2 and 500),
    message text not null check (length(message) <= 1000),
    -- From the link that the applicant came by.
    affiliate_code text check (length(affiliate_code) between 1 and 32),
    referral_code text check (length(referral_code) between 1 and 32),
    -- What the applicant reads.
    language text not null check (language ~ '^[A-Z]{2}$'),
    created_at timestamptz not null,
    status text not null default 'OPEN'
        constraint agents_applications_status check (status in ('OPEN', 'ACCEPTED', 'REFUSED')),
    answer text check (length(answer) between 1 and 2000),
    decided_at timestamptz,
    -- Who of the office decided, as the trail names them.
    decided_by text,
    constraint agents_applications_decision check (
        (status = 'OPEN') = (decided_at is null) and (status = 'OPEN') = (decided_by is null)
    )
);

-- A member asks for one thing at a time; serves the member's own, too.
create unique index agents_applications_open on agents_applications (asked_by)
    where status = 'OPEN' and asked_by is not null;
create index agents_applications_asked_by on agents_applications (asked_by, id desc)
    where asked_by is not null;
-- Serves the office's list; ids rise with the time.
create index agents_applications_by_status on agents_applications (status, id desc);

grant select, insert, update on agents_applications to capiz_server;

update staff_roles set rights = rights || '{affiliates.read}' where name in ('support', 'auditor');
