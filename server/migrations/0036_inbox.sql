-- Feedback: what members and visitors write to the house, and what it answers.

create table inbox_feedback (
    id uuid primary key,
    -- It is the merchant's and not the member's: visitors write, too, and the office reads all of
    -- it in one list.
    merchant_id uuid not null,
    -- The member who wrote it; nobody's where it was a visitor.
    written_by uuid,
    question_type text not null constraint inbox_feedback_question check (question_type in
        ('ACCOUNT', 'DEPOSIT', 'WITHDRAWAL', 'GAME', 'PROMOTION', 'TECHNICAL', 'COMPLAINT',
         'OTHER')),
    content text not null check (length(content) between 10 and 1000),
    -- Where the writer wants to be reached.
    contact text check (length(contact) between 3 and 120),
    -- What the writer reads.
    language text not null check (language ~ '^[A-Z]{2}$'),
    created_at timestamptz not null,
    status text not null default 'OPEN'
        constraint inbox_feedback_status check (status in ('OPEN', 'ANSWERED', 'CLOSED')),
    answer text check (length(answer) between 1 and 2000),
    answered_at timestamptz,
    -- Who of the office answered, as the trail names them.
    answered_by text,
    -- Who looks after something says so once.
    constraint inbox_feedback_answer check (
        (answer is null) = (answered_at is null) and (answer is null) = (answered_by is null)
        and (status <> 'ANSWERED' or answer is not null)
        and (status <> 'OPEN' or answer is null)
    )
);

-- Serves the writer's own list.
create index inbox_feedback_written_by on inbox_feedback (written_by, id desc)
    where written_by is not null;
-- Serves the office's list by what became of it; ids rise with the time.
create index inbox_feedback_by_status on inbox_feedback (status, id desc);

grant select, insert, update on inbox_feedback to capiz_server;

update staff_roles set rights = rights || '{feedback.read,feedback.write}' where name = 'support';
update staff_roles set rights = rights || '{feedback.read}' where name = 'auditor';
