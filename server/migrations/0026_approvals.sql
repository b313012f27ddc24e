-- Four eyes: what one person asks for and another decides.
create table staff_approvals (
    id uuid primary key,
    -- What is to be done, `domain.action`, to whom or what, and how, as JSON.
    kind text not null,
    subject text not null,
    what text not null,
    reason text not null check (length(reason) between 3 and 500),
    asked_by uuid not null references staff_people (id),
    asked_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > asked_at),
    state text not null default 'open' check (state in ('open', 'done', 'refused', 'expired')),
    decided_by uuid references staff_people (id),
    decided_at timestamptz,
    decision_reason text,
    -- Who asks never decides, whatever the code does.
    constraint staff_approvals_four_eyes check (decided_by <> asked_by),
    constraint staff_approvals_decided check
        ((state in ('done', 'refused')) = (decided_by is not null and decided_at is not null))
);
create index staff_approvals_state on staff_approvals (state, id desc);
create index staff_approvals_open on staff_approvals (expires_at) where state = 'open';

grant select, insert, update (state, decided_by, decided_at, decision_reason)
    on staff_approvals to capiz_server;

update staff_roles set rights = '{wallet.correct}' where name = 'cashier';
update staff_roles set rights = rights || '{approvals.read}' where name = 'auditor';
